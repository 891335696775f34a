import { afterEach, beforeEach, expect, test } from 'bun:test';
import { asc } from 'drizzle-orm';
import type { AlertChange } from '../../../src/core/alerts/index.ts';
import { deliveries } from '../../../src/core/deliveries/table.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { outbox } from '../../../src/core/outbox/table.ts';
import type { AlertDraft } from '../../../src/features/alerts/contract.ts';
import { noticeUnpriced } from '../../../src/features/alerts/unpriced/notice-unpriced.ts';
import { MINUTE_MS } from '../../../src/lib/time.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { ask, calls, historyOf, make, pass } from './support.ts';

let world: TestApp;
let channelId: string;
beforeEach(async () => {
  world = await openTestApp();
  const response = await world.fetch(`/v1/channels?organizationId=${world.seed.organizationId}`, {
    bearer: world.seed.bearer,
    json: { name: 'ops', kind: 'email', config: { to: ['ops@example.com'] } },
  });
  channelId = ((await response.json()) as { id: string }).id;
});
afterEach(() => world.close());

const watch = (draft: Partial<AlertDraft> = {}) => make(world, { channelIds: [channelId], ...draft });
type Data = { group: string | null; severity: string | null; summary: string; groups?: unknown[] };
const told = async (): Promise<[string, Data][]> => {
  const rows = await world.ctx.db.sql.select().from(deliveries).orderBy(asc(deliveries.id));
  return rows.map(({ type, data }): [string, Data] => [type, data as Data]);
};
const types = async (): Promise<string[]> => (await told()).map(([type]) => type);
const silence = async (body: object): Promise<void> => {
  const until = new Date(world.clock.now() + 10 * MINUTE_MS).toISOString();
  expect((await ask(world, 'POST', 'silences', { until, reason: 'test', ...body })).status).toBe(201);
};

test('a change of state and its notification come together, each once', async () => {
  const { id } = await watch();
  await calls(world, 7);
  await calls(world, 3, { status: 'error' });
  await pass(world, 2);
  await calls(world, 20, { status: 'error' });
  await pass(world, 2);
  await calls(world, 20);
  await pass(world, 8);
  expect(await types()).toEqual(['alert.fired', 'alert.escalated', 'alert.resolved']);
  const [[, fired] = []] = await told();
  expect(fired).toMatchObject({
    alert: { id, name: 'Errors', url: expect.stringContaining(`/alerts/${id}`) },
    group: null,
    severity: 'warning',
    previousSeverity: null,
    measure: 'errorRate',
    value: 0.3,
    threshold: 0.2,
    incidentId: null,
    summary: 'Warning: "Errors": Error rate is 30%',
  });
  expect((await historyOf(world, id)).map(({ notified }) => notified)).toEqual([
    'sent',
    'sent',
    // From critical to warning nobody is called.
    'none',
    'sent',
  ]);
});

test('a silence holds notifications back but not states, and what still fires is told when it ends', async () => {
  const { id } = await watch();
  await silence({ alertId: id });
  await calls(world, 5, { status: 'error' });
  await pass(world, 2);
  expect(await types()).toEqual([]);
  expect((await historyOf(world, id)).map(({ to, notified }) => [to, notified])).toEqual([
    ['critical', 'silenced'],
  ]);
  await pass(world, 9);
  expect(await types()).toEqual(['alert.fired']);
});

test('the resolution of what was told is told in a silence too', async () => {
  await watch();
  await calls(world, 5, { status: 'error' });
  await pass(world, 2);
  await silence({});
  await calls(world, 50);
  await pass(world, 4);
  expect(await types()).toEqual(['alert.fired', 'alert.resolved']);
});

test('a firing alert is told again after renotifyMinutes', async () => {
  await watch({ renotifyMinutes: 5 });
  await calls(world, 5, { status: 'error' });
  await pass(world, 8);
  expect(await types()).toEqual(['alert.fired', 'alert.fired']);
  expect((await told())[1]?.[1].summary).toStartWith('Still critical');
});

test('many groups that fire at once are one notification', async () => {
  await watch({ groupBy: 'model' });
  for (let i = 0; i < 12; i++) await calls(world, 1, { model: `m${i}`, status: 'error' });
  await pass(world, 2);
  const [[type, data] = [], ...more] = await told();
  expect([type, more.length]).toEqual(['alert.fired', 0]);
  expect(data).toMatchObject({ group: null, summary: '"Errors": 12 groups fire' });
  expect(data?.groups).toHaveLength(12);
});

test('no data is told, and so is its end', async () => {
  await calls(world, 5);
  await pass(world, 1);
  await watch({ noData: 'notify' });
  await pass(world, 7);
  await calls(world, 5);
  await pass(world, 2);
  expect(await types()).toEqual(['alert.no_data', 'alert.resolved']);
});

test('an alert that opens incidents notifies nobody: its changes go to the outbox', async () => {
  const { id } = await watch({ opensIncident: true, groupBy: 'model', filters: { provider: 'openai' } });
  await world.ctx.db.sql.delete(outbox);
  await calls(world, 5, { status: 'error' });
  await pass(world, 2);
  expect((await types()).filter((type) => type.startsWith('alert.'))).toEqual([]);
  const rows = await world.ctx.db.sql.select().from(outbox);
  const [change] = rows.filter(({ event }) => event === 'alert.changed');
  // It may be delivered already, if somebody follows.
  if (change !== undefined)
    expect(change.payload as AlertChange).toMatchObject({
      outcome: 'fired',
      alertId: id,
      group: 'gpt-4o',
      dimensions: { provider: 'openai', model: 'gpt-4o' },
      severity: 'critical',
      silenced: false,
    });
  expect((await historyOf(world, id)).map(({ notified }) => notified)).toEqual(['incident']);
});

test('deleting an alert that fires resolves what was told', async () => {
  const { id } = await watch();
  await calls(world, 5, { status: 'error' });
  await pass(world, 2);
  await ask(world, 'DELETE', `alerts/${id}`);
  expect(await types()).toEqual(['alert.fired', 'alert.resolved']);
});

test('models without a price are told once, together', async () => {
  await calls(world, 1, { model: 'never-heard-of' });
  await calls(world, 1, { model: 'nor-of-this' });
  expect((await runJob(world.ctx, noticeUnpriced, 'schedule')).result).toEqual({ models: 2 });
  await runJob(world.ctx, noticeUnpriced, 'schedule');
  const [[type, data] = [], ...more] = await told();
  expect([type, more.length]).toEqual(['model.unpriced', 0]);
  expect(data?.summary).toContain('2 models without a price');
});
