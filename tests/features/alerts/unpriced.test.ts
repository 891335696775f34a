import { afterEach, beforeEach, expect, test } from 'bun:test';
import { asc } from 'drizzle-orm';
import { commands } from '../../../cli/commands.ts';
import { deliveries } from '../../../src/core/deliveries/table.ts';
import type { Alert, AlertDetail, AlertDraft } from '../../../src/features/alerts/contract.ts';
import { read } from '../../../src/features/alerts/judge/reading.ts';
import type { AlertPreview } from '../../../src/features/alerts/preview/contract.ts';
import type { Rule } from '../../../src/features/alerts/table.ts';
import { runWith } from '../../cli/terminal.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { ask, calls, historyOf, make, pass } from './support.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

const COST = {
  name: 'Cost',
  measure: 'cost',
  condition: { kind: 'threshold', operator: 'gt', critical: 0.001 },
} as const satisfies Partial<AlertDraft>;

/** Seven calls with a price of 2.5 US dollars for a million tokens, and three without. */
async function someUnpriced(): Promise<void> {
  await calls(world, 7, { input_tokens: 1_000, output_tokens: 0 });
  await calls(world, 3, { model: 'never-heard-of', input_tokens: 1_000 });
}

const alertOf = async ({ id }: Pick<Alert, 'id'>): Promise<AlertDetail> =>
  (await ask<AlertDetail>(world, 'GET', `alerts/${id}`)).body;

test('a cost alert says how many calls of its window are unpriced: state, history, notification and preview', async () => {
  const response = await world.fetch(`/v1/channels?organizationId=${world.seed.organizationId}`, {
    bearer: world.seed.bearer,
    json: { name: 'ops', kind: 'email', config: { to: ['ops@example.com'] } },
  });
  const channel = (await response.json()) as { id: string };
  const made = await make(world, { ...COST, channelIds: [channel.id] });
  const byModel = await make(world, { ...COST, name: 'By model', groupBy: 'model' });
  await someUnpriced();
  await pass(world, 2);
  const counts = { value: 0.0175, unpriced: 3, calls: 10 };
  const alert = await alertOf(made);
  expect(alert).toMatchObject({ ...counts, state: 'critical', groups: { unpriced: 1 } });
  expect(alert.states).toMatchObject([counts]);
  expect(await historyOf(world, made.id)).toMatchObject([counts]);
  const [told] = await world.ctx.db.sql.select().from(deliveries).orderBy(asc(deliveries.id));
  expect(told?.data).toMatchObject({
    ...counts,
    summary: 'Critical: "Cost": Cost is at least $0.0175 (3 of 10 calls unpriced)',
  });
  expect(told?.message).toMatchObject({
    facts: expect.arrayContaining([
      { label: 'Value, at least', value: '$0.0175' },
      { label: 'Without a price', value: '3 of 10 calls unpriced' },
    ]),
  });
  // The worst group is the one whose cost is known; the other has none.
  const grouped = await alertOf(byModel);
  expect(grouped).toMatchObject({ worstGroup: 'gpt-4o', unpriced: 0, calls: 7, groups: { unpriced: 1 } });
  const env = { DATABASE_URL: world.ctx.config.DATABASE_URL };
  const { stdout } = await runWith(commands, ['alerts', 'list'], { env });
  const [header, ...lines] = stdout.trimEnd().split('\n');
  expect(header).toMatch(/name +state +measure +value +unpriced/);
  expect(lines.find((line) => line.includes('By model'))).toMatch(/ \$0\.0175 +1 group/);
  expect(lines.find((line) => !line.includes('By model'))).toMatch(/≥ \$0\.0175 +3 of 10/);
  const { body } = await ask<AlertPreview>(world, 'POST', 'alerts/preview?days=1', {
    ...COST,
    window: '5m',
  });
  expect(body).toMatchObject({ unpriced: 3, calls: 10, firings: 1, spans: [counts] });
  expect(body.series[0]?.unpriced?.at(-1)).toBe(3);
});

test('the cost of calls that have no price is unknown, not zero: the alert keeps its state', async () => {
  const low = await make(world, {
    ...{ name: 'Low', measure: 'cost', noData: 'ok' },
    condition: { kind: 'threshold', operator: 'lt', critical: 1 },
  });
  const rises = await make(world, {
    ...{ name: 'Rises', measure: 'cost' },
    condition: { kind: 'change', direction: 'up', percent: 50, compare: 'previous' },
  });
  await calls(world, 4, { model: 'never-heard-of' });
  await pass(world, 2);
  const unknown = { state: 'ok', value: null, unpriced: 4, calls: 4 };
  expect(await alertOf(low)).toMatchObject(unknown);
  expect(await alertOf(rises)).toMatchObject(unknown);
  expect(await historyOf(world, low.id)).toEqual([]);
});

test('a cost of which a part is unknown is not low: live and in the preview the state stays', async () => {
  const below = {
    ...{ name: 'Low', measure: 'cost', noData: 'ok', window: '5m' },
    condition: { kind: 'threshold', operator: 'lt', critical: 0.01 },
  } as const satisfies Partial<AlertDraft>;
  const low = await make(world, below);
  const previewed = async (): Promise<unknown> => {
    const { body } = await ask<AlertPreview>(world, 'POST', 'alerts/preview?days=1', below);
    return [body.firings, body.spans.map(({ state }) => state)];
  };
  const priced = { input_tokens: 1_000, output_tokens: 0 };
  await calls(world, 2, priced);
  await calls(world, 3, { model: 'never-heard-of' });
  await pass(world, 2);
  const part = { value: 0.005, unpriced: 3, calls: 5 };
  expect(await alertOf(low)).toMatchObject({ ...part, state: 'ok' });
  expect([await historyOf(world, low.id), await previewed()]).toEqual([[], [0, []]]);
  // The cost of five minutes with few calls is known to be low.
  await pass(world, 6);
  await calls(world, 1, priced);
  await pass(world, 2);
  expect((await alertOf(low)).states).toMatchObject([{ value: 0.0025, state: 'critical', reason: null }]);
  // It stays until the cost is known to be higher, and says why.
  await calls(world, 3, { model: 'never-heard-of' });
  await pass(world, 2);
  const { states } = await alertOf(low);
  expect(states).toMatchObject([{ value: 0.0025, unpriced: 3, calls: 4, reason: 'unpriced' }]);
  expect(await previewed()).toEqual([1, ['critical']]);
  await calls(world, 4, priced);
  await pass(world, 2);
  expect((await alertOf(low)).state).toBe('ok');
  const steps = (await historyOf(world, low.id)).map(({ from, to }) => [from, to]);
  expect(steps).toEqual([
    ['ok', 'critical'],
    ['critical', 'ok'],
  ]);
  expect(await previewed()).toEqual([1, ['critical']]);
});

const changed = (direction: 'up' | 'down' | 'either', value: number, before: number) => ({
  rule: { condition: { kind: 'change', direction, percent: 20, compare: 'previous' } } as const,
  figures: { value, before },
});
const RULE = {
  filters: {},
  groupBy: null,
  window: '5m',
  minRequests: 0,
  forMinutes: 0,
  noData: 'ignore',
  renotifyMinutes: null,
} as const satisfies Partial<Rule>;
test.each([
  // A known part tells that a cost rose, not that it fell; a known part before the other way round.
  [changed('up', 15, 10), { now: 0, before: 0 }, 'critical'],
  [changed('up', 15, 10), { now: 3, before: 0 }, 'critical'],
  [changed('up', 15, 10), { now: 0, before: 3 }, 'keep'],
  [changed('either', 15, 10), { now: 3, before: 3 }, 'keep'],
  [changed('down', 5, 10), { now: 0, before: 0 }, 'critical'],
  [changed('down', 5, 10), { now: 3, before: 0 }, 'keep'],
  [changed('either', 5, 10), { now: 0, before: 3 }, 'critical'],
  [changed('down', 9, 10), { now: 3, before: 3 }, 'ok'],
] as const)('%p with %p calls without a price is %s', ({ rule, figures }, unpriced, level) => {
  const judged = (measure: 'cost' | 'costAvg'): string =>
    read(
      { ...RULE, ...rule, measure },
      {
        ...figures,
        requests: 10,
        unpriced: unpriced.now,
        unpricedBefore: unpriced.before,
      },
    ).level;
  expect(judged('cost')).toBe(level);
  // A mean is of the calls that have a price.
  expect(judged('costAvg')).not.toBe('keep');
});

test('a measure that is no cost counts no calls without a price', async () => {
  const errors = await make(world);
  await calls(world, 4, { model: 'never-heard-of', status: 'error' });
  await pass(world, 2);
  expect(await alertOf(errors)).toMatchObject({
    value: 1,
    unpriced: null,
    calls: null,
    groups: { unpriced: 0 },
  });
});

test('an alert of the cost of runs counts the runs with a call without a price', async () => {
  const runs = await make(world, { ...COST, name: 'Runs', measure: 'runCost' });
  for (const [i, model] of ['gpt-4o', 'never-heard-of', 'gpt-4o'].entries()) {
    const trace_id = `c0ffee${i}`.padStart(32, '0');
    const root = `aa${i}`.padStart(16, '0');
    await calls(world, 1, { trace_id, span_id: root, kind: 'agent', agent: 'a', model: undefined });
    const child = { trace_id, parent_span_id: root, input_tokens: 1_000, output_tokens: 0 };
    await calls(world, 1, { ...child, span_id: `bb${i}`.padStart(16, '0'), model: 'gpt-4o' });
    await calls(world, 1, { ...child, span_id: `cc${i}`.padStart(16, '0'), model });
  }
  await pass(world, 2);
  expect(await alertOf(runs)).toMatchObject({ value: 0.0125, unpriced: 1, calls: 3, state: 'critical' });
});

test('the alert of an incident says it too', async () => {
  await make(world, { ...COST, opensIncident: true });
  await someUnpriced();
  await pass(world, 2);
  type List = { incidents: { id: string }[] };
  const [first] = (await ask<List>(world, 'GET', 'incidents')).body.incidents;
  const { body } = await ask<{ alerts: object[] }>(world, 'GET', `incidents/${first?.id}`);
  expect(body.alerts).toMatchObject([
    {
      ...{ value: 0.0175, unpriced: 3, calls: 10 },
      summary: 'Critical: "Cost": Cost is at least $0.0175 (3 of 10 calls unpriced)',
    },
  ]);
});
