import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { setPlan } from '../../../src/core/orgs/index.ts';
import { projects } from '../../../src/core/projects/table.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { asker, everyRole } from '../../helpers/people.ts';

let world: TestApp;
let ask: ReturnType<typeof asker>;
let path: string;
beforeEach(async () => {
  world = await openTestApp();
  ask = asker(world);
  path = `/v1/projects/${world.seed.projectId}`;
});
afterEach(() => world.close());

const put = (json: object) => ask('PUT', path, world.seed.bearer, json);

test('a project is made, renamed and set up', async () => {
  const inOrganization = `/v1/organizations/${world.seed.organizationId}/projects`;
  const made = await ask('POST', inOrganization, world.seed.bearer, { name: ' Search ' });
  const expected = {
    id: expect.stringMatching(/^prj_/),
    name: 'Search',
    organizationId: world.seed.organizationId,
    environments: [],
    retentionDays: null,
    keptDays: 365,
    createdAt: new Date(world.clock.now()).toISOString(),
  };
  expect(made).toEqual({ status: 201, body: expected as never });
  const change = { name: 'Find', environments: ['production', 'staging', 'production'], retentionDays: 30 };
  const after = {
    ...expected,
    name: 'Find',
    environments: ['production', 'staging'],
    retentionDays: 30,
    keptDays: 30,
  };
  const { id } = made.body as { id: string };
  expect(await ask('PUT', `/v1/projects/${id}`, world.seed.bearer, change)).toEqual({
    status: 200,
    body: after as never,
  });
  expect((await ask('GET', `/v1/projects/${id}`, world.seed.bearer)).body).toEqual(after as never);
  expect((await ask('GET', inOrganization, world.seed.bearer)).body).toMatchObject({
    projects: [{ name: 'Acme project' }, after],
  });
});

test('what is left out stays, and null gives the retention back to the plan', async () => {
  await put({ environments: ['production'], retentionDays: 3 });
  expect((await put({ name: 'Other' })).body).toMatchObject({ environments: ['production'], keptDays: 3 });
  expect((await put({ retentionDays: null })).body).toMatchObject({ retentionDays: null, keptDays: 365 });
});

test('no more days are kept than the plan allows, then or later', async () => {
  expect(await put({ retentionDays: 366 })).toEqual({
    status: 400,
    body: { error: 'retentionDays: at most 365 on the plan scale' },
  });
  await put({ retentionDays: 300 });
  await world.app.act(setPlan, { organization: 'Acme', plan: 'pro' });
  expect((await ask('GET', path, world.seed.bearer)).body).toMatchObject({
    retentionDays: 300,
    keptDays: 30,
  });
});

test.each([
  ['no name', { name: '' }],
  ['half a day', { retentionDays: 0.5 }],
  ['no day', { retentionDays: 0 }],
  ['a nameless environment', { environments: [' '] }],
  ['a hundred and one environments', { environments: Array.from({ length: 101 }, (_, i) => `e${i}`) }],
  ['an unknown setting', { storePrompt: true }],
])('%s is 400 and changes nothing', async (_name, json) => {
  const before = await world.ctx.db.sql.select().from(projects);
  expect((await put(json)).status).toBe(400);
  expect(await world.ctx.db.sql.select().from(projects)).toEqual(before);
});

describe('deleting', () => {
  test('ends the project for everybody at the next request', async () => {
    const other = (
      await ask('POST', `/v1/organizations/${world.seed.organizationId}/projects`, world.seed.bearer, {
        name: 'Kept',
      })
    ).body as { id: string };
    expect(await ask('DELETE', path, world.seed.bearer)).toEqual({
      status: 200,
      body: {
        id: world.seed.projectId,
        name: 'Acme project',
        deletedAt: new Date(world.clock.now()).toISOString(),
      },
    });
    for (const [method, at] of [
      ['GET', path],
      ['DELETE', path],
      ['GET', `${path}/keys`],
      ['GET', `/v1/costs?projectId=${world.seed.projectId}`],
    ] as const) {
      expect(await ask(method, at, world.seed.bearer)).toEqual({
        status: 403,
        body: { error: 'Not a member of this organization' },
      });
    }
    expect((await world.fetch('/v1/sdk/config', { apiKey: world.seed.apiKey })).status).toBe(401);
    expect((await ask('GET', `/v1/projects/${other.id}`, world.seed.bearer)).status).toBe(200);
  });

  test.each([
    ['owner', 200],
    ['admin', 200],
    ['member', 403],
    ['viewer', 403],
  ] as const)('%s: %i', async (role, status) => {
    const { bearer } = (await everyRole(world))[role];
    expect((await ask('PUT', path, bearer, { name: 'x' })).status).toBe(status);
    expect((await ask('DELETE', path, bearer)).status).toBe(status);
    expect((await ask('GET', path, world.seed.bearer)).status).toBe(status === 200 ? 403 : 200);
  });
});
