import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { RootCause } from '../../../src/core/root-cause/contract.ts';
import type { AnomaliesReply } from '../../../src/features/ai/anomalies/contract.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

const random = createRandom(TEST_SEED);
const HOURS = 35 * 24;
/** Calls of each model in half of an hour. */
const CALLS = 6;
const MODELS = ['gpt-4o', 'gpt-4o-mini'];
/** Hours before now at which something unusual was planted. */
const SPIKE = 20 + Math.floor(random() * 40);
const SLOW = 80 + Math.floor(random() * 40);

/** Around one hour of each week there are enough calls to judge a percentile. */
const callsOf = (back: number): number =>
  [-1, 0, 1].some((beside) => (back - SLOW + beside) % (7 * 24) === 0) ? 44 : CALLS * 2;

let world: TestApp;

const hourOf = (back: number): number => TEST_NOW - back * HOUR_MS;
/** A call of an hour. Every hour of the week is like that of the week before, but for what is planted. */
function call(back: number, model: string, i: number): object {
  const hourOfWeek = back % (7 * 24);
  const isSpike = back === SPIKE || back === SPIKE + 1;
  return {
    provider: 'openai',
    model,
    timestamp: formatInstant(hourOf(back) + i * 30_000),
    input_tokens: 1_000 + (hourOfWeek % 24) * 100 + (isSpike && model === 'gpt-4o' ? 400_000 : 0),
    output_tokens: 100,
    latency_ms:
      (model === 'gpt-4o' ? 900 : 500) + i * 10 + (back === SLOW && model === 'gpt-4o-mini' ? 20_000 : 0),
    agent: model === 'gpt-4o' ? 'support' : 'search',
    user_id: `user-${i % 2}`,
    status: 'success',
  };
}

async function send(app: TestApp, events: readonly object[], apiKey = app.seed.apiKey): Promise<void> {
  for (let from = 0; from < events.length; from += 100) {
    const response = await app.fetch('/v1/ingest', { apiKey, events: events.slice(from, from + 100) });
    expect(response.status).toBe(202);
  }
}

beforeAll(async () => {
  world = await openTestApp({ rateLimits: false });
  const events = Array.from({ length: HOURS }, (_, back) =>
    MODELS.flatMap((model) => Array.from({ length: callsOf(back + 1) }, (_, i) => call(back + 1, model, i))),
  ).flat();
  await send(world, events);
}, 120_000);
afterAll(() => world.close());

async function list(query = ''): Promise<AnomaliesReply> {
  const response = await world.fetch(`/v1/ai/anomalies?projectId=${world.seed.projectId}${query}`, {
    bearer: world.seed.bearer,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as AnomaliesReply;
}

test('planted hours are found with their calls, and nothing else is', async () => {
  const { anomalies, learning, skipped } = await list();
  expect([learning, skipped]).toEqual([false, []]);
  const seen = anomalies.map(
    ({ measure, dimension, value, start, end }) => `${measure} ${dimension} ${value} ${start} ${end}`,
  );
  const spike = `${formatInstant(hourOf(SPIKE + 1))} ${formatInstant(hourOf(SPIKE - 1))}`;
  const slow = `${formatInstant(hourOf(SLOW))} ${formatInstant(hourOf(SLOW - 1))}`;
  expect(seen.toSorted()).toEqual(
    [
      `cost all null ${spike}`,
      `cost model gpt-4o ${spike}`,
      `cost agent support ${spike}`,
      `cost userId user-0 ${spike}`,
      `cost userId user-1 ${spike}`,
      `latencyP95 all null ${slow}`,
      `latencyP95 model gpt-4o-mini ${slow}`,
      `latencyP95 agent search ${slow}`,
      `latencyP95 userId user-0 ${slow}`,
      `latencyP95 userId user-1 ${slow}`,
    ].toSorted(),
  );
  // An independent calculation of the cost of gpt-4o in the peak hour, and of the usual one.
  const found = anomalies.find(({ measure, value }) => measure === 'cost' && value === 'gpt-4o');
  const at = Math.round((TEST_NOW - Date.parse(found?.peakAt ?? '')) / HOUR_MS);
  const costOf = (back: number, extra: number): number =>
    CALLS * 2 * ((1_000 + ((back % 168) % 24) * 100 + extra) * 2.5e-6 + 100 * 10e-6);
  expect(found?.peak).toBeCloseTo(costOf(at, 400_000), 6);
  const usual =
    [-1, 0, 1].map((beside) => costOf((at - beside + 168) % 168, 0)).toSorted((a, b) => a - b)[1] ?? 0;
  expect(found?.usual).toBeCloseTo(usual, 6);
  expect(found).toMatchObject({
    severity: 'critical',
    unit: 'usd',
    filter: 'model:gpt-4o',
    calls: CALLS * 2,
  });
});

test('an anomaly is explained by what differs from the week before', async () => {
  const { anomalies } = await list();
  const found = anomalies.find(({ measure, dimension }) => measure === 'cost' && dimension === 'all');
  const response = await world.fetch(`/v1/ai/explain?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
    json: { anomalyId: found?.id },
  });
  const cause = (await response.json()) as RootCause;
  expect(cause).toMatchObject({
    measure: 'cost',
    status: 'explained',
    window: { start: found?.start, end: found?.end },
  });
  expect(Date.parse(cause.window.start) - Date.parse(cause.baseline.start)).toBe(7 * DAY_MS);
  expect(JSON.stringify(cause.causes[0]?.values)).toMatch(/gpt-4o|support/);
});

test('other windows: one without anomalies, one that is learning, and those that are refused', async () => {
  const part = (from: number, to: number): string =>
    `&start=${formatInstant(hourOf(from))}&end=${formatInstant(hourOf(to))}`;
  expect((await list(part(SPIKE - 2, 2))).anomalies).toEqual([]);
  expect(await list(part(35 * 24, 34 * 24))).toMatchObject({ anomalies: [], learning: true });
  const ask = async (path: string, json?: object): Promise<[number, unknown]> => {
    const response = await world.fetch(path, { bearer: world.seed.bearer, ...(json && { json }) });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  const { projectId } = world.seed;
  expect(await ask(`/v1/ai/anomalies?projectId=${projectId}${part(34 * 24, 0)}`)).toEqual([
    400,
    'start: must not be more than 31 days before end',
  ]);
  for (const anomalyId of [
    '',
    'x',
    'W10',
    Buffer.from('["cost",5,4,""]').toString('base64url'),
    Buffer.from('["cost",1,2,"nonsense:x"]').toString('base64url'),
  ])
    expect((await ask(`/v1/ai/explain?projectId=${projectId}`, { anomalyId }))[0]).toBe(400);
  expect((await ask(`/v1/ai/explain?projectId=${projectId}`, {}))[0]).toBe(400);
});
