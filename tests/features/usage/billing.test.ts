import { afterEach, expect, test } from 'bun:test';
import { setPlan } from '../../../src/core/orgs/index.ts';
import type { Billing } from '../../../src/features/usage/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
afterEach(() => world.close());

const path = (): string => `/v1/organizations/${world.seed.organizationId}/billing`;
const billing = async (): Promise<Billing> =>
  (await (await world.fetch(path(), { bearer: world.seed.bearer })).json()) as Billing;
const change = (json: object, bearer = world.seed.bearer): Promise<Response> =>
  world.fetch(path(), { method: 'PUT', bearer, json });
const actions = async (): Promise<string[]> => {
  const reply = await world.fetch(`/v1/audit?organizationId=${world.seed.organizationId}`, {
    bearer: world.seed.bearer,
  });
  return ((await reply.json()) as { entries: { action: string }[] }).entries.map(({ action }) => action);
};

test('billing: plan, period, use and what each plan would lower; owners change it where the server lets them', async () => {
  world = await openTestApp({ env: { PLAN_CHANGES: 'owner' } });
  await world.app.act(setPlan, { organization: 'Acme', plan: 'free' });
  await world.fetch('/v1/ingest', {
    apiKey: world.seed.apiKey,
    events: [{ provider: 'openai', model: 'gpt-4o' }],
  });
  const first = await billing();
  expect(first).toMatchObject({
    plan: 'free',
    planChanges: 'owner',
    ownLimits: false,
    period: { month: '2026-06', from: '2026-06-01T00:00:00.000Z', to: '2026-07-01T00:00:00.000Z' },
    events: { used: 1, limit: 100_000, remaining: 99_999, overage: 0 },
    months: [{ month: '2026-06', events: 1, bytes: first.bytes.used }],
  });
  expect(first.plans.map(({ plan, lowered }) => [plan, lowered.length])).toEqual([
    ['free', 0],
    ['pro', 0],
    ['scale', 0],
  ]);

  const larger = await change({ plan: 'scale' });
  expect([larger.status, ((await larger.json()) as Billing).plan]).toEqual([200, 'scale']);
  // The plan that it has is no change.
  expect((await change({ plan: 'scale' })).status).toBe(200);
  const refused = await change({ plan: 'free' });
  expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
    409,
    'The free plan has lower limits: 100,000 events a month instead of 100,000,000; 1 GB of events instead of 1 TB; events are kept for 7 days instead of 365, and older ones deleted. Send "acceptLowerLimits": true',
  ]);
  expect((await change({ plan: 'free', acceptLowerLimits: true })).status).toBe(200);
  expect((await billing()).retentionDays).toBe(7);
  expect((await actions()).filter((action) => action === 'billing.plan_changed')).toHaveLength(3);

  const { bearer } = await world.addUser('admin');
  expect((await change({ plan: 'pro' }, bearer)).status).toBe(403);
  // Limits that the operator set are the operator's, lower ones too: a change of plan would lift them.
  await world.app.act(setPlan, { organization: 'Acme', plan: 'free', monthlyEvents: 0 });
  expect((await change({ plan: 'pro' })).status).toBe(409);
  expect(await billing()).toMatchObject({
    ownLimits: true,
    events: { used: 1, limit: 0, remaining: 0, overage: 1 },
  });
});

test('by default only the operator changes plans', async () => {
  world = await openTestApp();
  await world.app.act(setPlan, { organization: 'Acme', plan: 'free' });
  const refused = await change({ plan: 'pro' });
  expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
    403,
    'Only the operator of this server changes plans; ask them for another one',
  ]);
  expect((await billing()).plan).toBe('free');
});
