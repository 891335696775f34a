import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Role } from '../../../src/core/tenancy/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { asker, everyRole, type Person } from '../../helpers/people.ts';

let world: TestApp;
let ask: ReturnType<typeof asker>;
beforeEach(async () => {
  world = await openTestApp();
  ask = asker(world);
});
afterEach(() => world.close());

const found = (bearer: string, name = 'New') => ask('POST', '/v1/organizations', bearer, { name });
const names = async (bearer: string) => {
  const { body } = await ask('GET', '/v1/organizations', bearer);
  return (body as { organizations: { name: string }[] }).organizations.map(({ name }) => name);
};

test('an owner makes another organization, on the default plan', async () => {
  const { status, body } = await found(world.seed.bearer);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^org_/),
    name: 'New',
    plan: 'free',
    monthlyEvents: 100_000,
    monthlyBytes: 1e9,
    retentionDays: 7,
    requiresSecondFactor: false,
    auditCsv: false,
    createdAt: new Date(world.clock.now()).toISOString(),
    role: 'owner',
  });
  expect(await names(world.seed.bearer)).toEqual(['Acme', 'New']);
});

test('where sign-up is not open, who owns nothing makes none', async () => {
  const { bearer } = await world.addUser('admin');
  expect((await found(bearer)).status).toBe(403);
  expect(await names(bearer)).toEqual(['Acme']);
  await world.reopen({ SIGNUP: 'open' });
  expect((await found(bearer)).status).toBe(201);
});

test('a person owns at most twenty, also when they ask for all at once', async () => {
  const replies = await Promise.all(Array.from({ length: 25 }, (_, i) => found(world.seed.bearer, `o${i}`)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(19);
  expect(replies.filter(({ status }) => status === 403)).toHaveLength(6);
  expect(await names(world.seed.bearer)).toHaveLength(20);
});

describe('by role', () => {
  let people: Record<Role, Person>;
  beforeEach(async () => {
    people = await everyRole(world);
  });
  const cases: [Role, number, number, number][] = [
    ['owner', 200, 204, 204],
    ['admin', 200, 204, 403],
    ['member', 200, 403, 403],
    ['viewer', 200, 403, 403],
  ];
  test.each(cases)('%s: read %i, rename %i, delete %i', async (role, read, rename, remove) => {
    const path = `/v1/organizations/${world.seed.organizationId}`;
    const { bearer } = people[role];
    expect((await ask('GET', path, bearer)).status).toBe(read);
    expect((await ask('PUT', path, bearer, { name: 'Renamed' })).status).toBe(rename);
    expect(await names(world.seed.bearer)).toEqual([rename === 204 ? 'Renamed' : 'Acme']);
    expect((await ask('DELETE', path, bearer)).status).toBe(remove);
    expect(await names(world.seed.bearer)).toHaveLength(remove === 204 ? 0 : 1);
  });
});

test('a foreign organization answers like a missing one, whatever is asked', async () => {
  const stranger = await world.addTenant();
  const { bearer } = world.seed;
  const of = async (id: string) => {
    const base = `/v1/organizations/${id}`;
    return [
      await ask('GET', base, bearer),
      await ask('PUT', base, bearer, { name: 'x' }),
      await ask('DELETE', base, bearer),
      await ask('POST', `${base}/leave`, bearer),
      await ask('POST', `${base}/transfer`, bearer, { userId: 'x' }),
      await ask('GET', `${base}/members`, bearer),
      await ask('GET', `${base}/invitations`, bearer),
      await ask('GET', `${base}/projects`, bearer),
    ];
  };
  const foreign = await of(stranger.organizationId);
  expect(foreign).toEqual(
    Array(8).fill({ status: 403, body: { error: 'Not a member of this organization' } }),
  );
  expect(await of('org_missing')).toEqual(foreign);
  expect(await names(stranger.bearer)).toEqual(['Globex']);
});
