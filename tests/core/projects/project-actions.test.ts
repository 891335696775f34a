import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createOrganization } from '../../../src/core/orgs/index.ts';
import { createProject, deleteProject, listProjects } from '../../../src/core/projects/index.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

test('projects are listed by organization or all, without the deleted', async () => {
  const { app, ctx, seed } = world;
  const tenant = await world.addTenant();
  const made = await app.act(createProject, { organization: 'Acme', name: 'Second' });
  expect(made).toEqual({
    id: expect.stringMatching(/^prj_[0-9a-f]{32}$/),
    name: 'Second',
    organizationId: seed.organizationId,
  });
  const ids = async (organization?: string) => (await listProjects(ctx, organization)).map(({ id }) => id);
  expect(await ids()).toEqual([seed.projectId, tenant.projectId, made.id]);
  expect(await ids('Globex')).toEqual([tenant.projectId]);
  const deleted = await app.act(deleteProject, { project: made.id });
  expect(deleted).toEqual({ id: made.id, name: 'Second', deletedAt: new Date(ctx.now()).toISOString() });
  expect(await ids()).toEqual([seed.projectId, tenant.projectId]);
  await expect(ids('nobody')).rejects.toMatchObject({ status: 404 });
});

test('a plan limits the projects of an organization, also for requests at the same time', async () => {
  const { app, seed } = world;
  const organization = await app.act(createOrganization, { name: 'Small', plan: 'free' });
  const make = (i: number) => app.act(createProject, { organization: organization.id, name: `p${i}` });
  const made = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => make(i)));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  const error = 'The plan free has at most 10 projects; delete one, or ask the operator for a larger plan';
  await expect(make(12)).rejects.toMatchObject({ status: 409, message: error });
  const [first] = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
  await app.act(deleteProject, { project: first ?? '' });
  expect(await make(13)).toMatchObject({ name: 'p13' });
  expect(await app.act(createProject, { organization: seed.organizationId, name: 'other' })).toBeDefined();
});

test('a deleted project is gone for its people at once, and cannot be deleted twice', async () => {
  const { app, seed } = world;
  const projects = async () => {
    const response = await world.fetch('/v1/auth/me', { bearer: seed.bearer });
    return ((await response.json()) as { memberships: { projects: { id: string }[] }[] }).memberships[0]
      ?.projects;
  };
  expect(await projects()).toEqual([{ id: seed.projectId, name: 'Acme project' }] as never);
  await app.act(deleteProject, { project: 'Acme project' });
  expect(await projects()).toEqual([]);
  await expect(app.act(deleteProject, { project: seed.projectId })).rejects.toMatchObject({ status: 404 });
});

test('a project needs an organization that is unambiguous', async () => {
  const { app } = world;
  await app.act(createOrganization, { name: 'Acme' });
  await expect(app.act(createProject, { organization: 'Acme', name: 'x' })).rejects.toMatchObject({
    status: 409,
  });
  await expect(app.act(createProject, { organization: 'org_0', name: 'x' })).rejects.toMatchObject({
    status: 404,
  });
});
