import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../../helpers/app.ts';
import { addApp, addPasskey } from '../../../helpers/factors.ts';
import { asker, everyRole, type Person } from '../../../helpers/people.ts';

const CLOSED = {
  status: 403,
  body: {
    code: 'second_factor_missing',
    error: 'This organization requires a second factor; add one under Account security',
  },
};

let world: TestApp;
let organization: string;
let project: string;
beforeEach(async () => {
  world = await openTestApp();
  organization = `/v1/organizations/${world.seed.organizationId}`;
  project = `/v1/projects/${world.seed.projectId}`;
});
afterEach(() => world.close());

const ask = (method: string, path: string, bearer: string, json?: unknown) =>
  asker(world)(method, path, bearer, json);
const require = (required: boolean, bearer = world.seed.bearer) =>
  ask('PUT', `${organization}/second-factor`, bearer, { required });
const memberships = async (bearer: string) =>
  ((await ask('GET', '/v1/auth/me', bearer)).body as { memberships: Record<string, unknown>[] }).memberships;

test('only admins with a second factor may require one', async () => {
  const { admin, member, viewer } = await everyRole(world);
  expect((await require(true)).status).toBe(409);
  for (const { bearer } of [member, viewer]) expect((await require(true, bearer)).status).toBe(403);
  await addApp(world, admin.bearer);
  expect((await require(true, admin.bearer)).status).toBe(204);
});

test('members without one reach nothing of the organization until they add one', async () => {
  const { admin, viewer } = await everyRole(world);
  await addApp(world, world.seed.bearer);
  expect((await ask('GET', project, viewer.bearer)).status).toBe(200);
  await require(true);
  const reads = [
    project,
    organization,
    `${organization}/members`,
    `/v1/events?projectId=${world.seed.projectId}`,
    `/v1/budgets?organizationId=${world.seed.organizationId}`,
  ];
  for (const path of reads) expect([path, await ask('GET', path, viewer.bearer)]).toEqual([path, CLOSED]);
  for (const path of reads) expect((await ask('GET', path, world.seed.bearer)).status).toBe(200);
  expect(await ask('PUT', organization, admin.bearer, { name: 'Mine' })).toEqual(CLOSED);
  expect(await memberships(viewer.bearer)).toEqual([
    expect.objectContaining({ organizationName: 'Acme', needsSecondFactor: true, projects: [] }),
  ]);
  // They can sign in, and add one.
  const again = await world.signIn(viewer.email);
  await addPasskey(world, again);
  expect((await ask('GET', project, again)).status).toBe(200);
  expect(await memberships(again)).toEqual([
    expect.objectContaining({ needsSecondFactor: false, projects: [expect.anything()] }),
  ]);
});

test('access tokens have the rights of their creator, so they are kept out too', async () => {
  const { admin } = await everyRole(world);
  await addApp(world, world.seed.bearer);
  const path = `/v1/access-tokens?organizationId=${world.seed.organizationId}`;
  const made = await ask('POST', path, admin.bearer, { name: 'report', scopes: ['read'] });
  const { token } = made.body as { token: string };
  expect((await ask('GET', project, token)).status).toBe(200);
  await require(true);
  expect(await ask('GET', project, token)).toEqual(CLOSED);
  await addApp(world, admin.bearer);
  expect((await ask('GET', project, token)).status).toBe(200);
});

test('whoever removes the last one is kept out again', async () => {
  const { viewer } = await everyRole(world);
  await addApp(world, world.seed.bearer);
  await require(true);
  await addApp(world, viewer.bearer);
  expect((await ask('GET', project, viewer.bearer)).status).toBe(200);
  await ask('POST', '/v1/auth/two-factor/totp/remove', viewer.bearer, { password: TEST_PASSWORD });
  expect(await ask('GET', project, viewer.bearer)).toEqual(CLOSED);
});

test('other organizations and API keys are not affected', async () => {
  const viewer = await world.addUser('viewer');
  const other = await world.addTenant();
  await addApp(world, world.seed.bearer);
  await require(true);
  expect((await ask('GET', `/v1/projects/${other.projectId}`, other.bearer)).status).toBe(200);
  const events = [{ provider: 'openai', model: 'gpt-4o' }];
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  // A foreign organization looks like a missing one, whatever it requires.
  const foreign = await ask('GET', organization, other.bearer);
  expect(foreign).toEqual(await ask('GET', '/v1/organizations/org_0', viewer.bearer));
});

test('it can be stopped, and both changes are in the audit log', async () => {
  const viewer = await world.addUser('viewer');
  await addApp(world, world.seed.bearer);
  await require(true);
  await require(true);
  expect(((await ask('GET', organization, world.seed.bearer)).body as object) ?? {}).toMatchObject({
    requiresSecondFactor: true,
  });
  await require(false);
  expect((await ask('GET', project, viewer.bearer)).status).toBe(200);
  const log = await ask('GET', `/v1/audit?organizationId=${world.seed.organizationId}`, world.seed.bearer);
  const { entries } = log.body as { entries: { action: string }[] };
  expect(entries.map(({ action }) => action).slice(0, 2)).toEqual([
    'organization.second_factor_optional',
    'organization.second_factor_required',
  ]);
});

test('admins see who has none, others do not', async () => {
  const { admin, member } = await everyRole(world);
  await addApp(world, world.seed.bearer);
  const seen = async ({ bearer }: Pick<Person, 'bearer'>) => {
    const { body } = await ask('GET', `${organization}/members`, bearer);
    const { members } = body as { members: { userId: string; secondFactor: boolean | null }[] };
    return Object.fromEntries(members.map(({ userId, secondFactor }) => [userId, secondFactor]));
  };
  expect(await seen(admin)).toMatchObject({ [world.seed.userId]: true, [member.userId]: false });
  expect(Object.values(await seen(member))).toEqual([null, null, null, null]);
});
