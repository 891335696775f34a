import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createOrganization, listOrganizations, setPlan } from '../../../src/core/orgs/index.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

test('the organization of init is on scale, others on the default plan or the one that is given', async () => {
  const { app, seed, ctx } = world;
  const free = await app.act(createOrganization, { name: '  Initech ' });
  expect(free).toEqual({ id: expect.stringMatching(/^org_[0-9a-f]{32}$/), name: 'Initech', plan: 'free' });
  await app.act(createOrganization, { name: 'Hooli', plan: 'pro' });
  const createdAt = new Date(TEST_NOW).toISOString();
  expect(await listOrganizations(ctx)).toEqual([
    {
      id: seed.organizationId,
      name: 'Acme',
      plan: 'scale',
      monthlyEvents: 1e8,
      monthlyBytes: 1e12,
      retentionDays: 365,
      createdAt,
    },
    {
      id: free.id,
      name: 'Initech',
      plan: 'free',
      monthlyEvents: 1e5,
      monthlyBytes: 1e9,
      retentionDays: 7,
      createdAt,
    },
    {
      id: expect.any(String),
      name: 'Hooli',
      plan: 'pro',
      monthlyEvents: 5e6,
      monthlyBytes: 50e9,
      retentionDays: 30,
      createdAt,
    },
  ]);
});

test('DEFAULT_PLAN decides where nothing is said', async () => {
  await world.reopen({ DEFAULT_PLAN: 'pro' });
  expect((await world.app.act(createOrganization, { name: 'Initech' })).plan).toBe('pro');
});

test('an override lasts until the plan is set without it', async () => {
  const { app, seed } = world;
  const first = await app.act(setPlan, { organization: 'Acme', plan: 'free', monthlyEvents: 7 });
  expect(first).toEqual({
    id: seed.organizationId,
    name: 'Acme',
    plan: 'free',
    monthlyEvents: 7,
    monthlyBytes: 1e9,
    retentionDays: 7,
  });
  const second = await app.act(setPlan, {
    organization: seed.organizationId,
    plan: 'free',
    monthlyBytes: 5,
    retentionDays: 90,
  });
  expect(second).toMatchObject({ monthlyEvents: 100_000, monthlyBytes: 5, retentionDays: 90 });
});

test.each([
  ['an unknown organization', { organization: 'nobody', plan: 'free' }, 404],
  ['a name that two have', { organization: 'Twin', plan: 'free' }, 409],
  ['an unknown plan', { organization: 'Acme', plan: 'gold' }, 400],
  ['a negative quota', { organization: 'Acme', plan: 'free', monthlyEvents: -1 }, 400],
  ['half a day', { organization: 'Acme', plan: 'free', retentionDays: 0.5 }, 400],
  ['no organization', { plan: 'free' }, 400],
])('setting the plan with %s is refused', async (_name, input, status) => {
  for (let i = 0; i < 2; i++) await world.app.act(createOrganization, { name: 'Twin' });
  await expect(world.app.act(setPlan, input)).rejects.toMatchObject({ status });
});
