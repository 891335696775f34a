import { afterAll, beforeAll, expect, test } from 'bun:test';
import type {
  CostBreakdown,
  CostsReply,
  ErrorsReply,
  ErrorsTimeline,
  Facets,
  OverviewReply,
} from '../../../src/features/analytics/contract.ts';
import type {
  PerformanceModels,
  PerformanceReply,
  PerformanceTimeline,
} from '../../../src/features/analytics/performance/contract.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'a-model-without-a-price'];
const STATUSES = ['success', 'success', 'success', 'error', 'timeout', 'rate_limited', 'cancelled'];
const HOUR = 3_600_000;

/** Seven calls an hour over two days: plain arithmetic makes each different. */
const EVENTS = Array.from({ length: 7 * 48 }, (_, i) => {
  const status = STATUSES[i % 7] ?? 'success';
  return {
    provider: i % 4 === 2 ? 'anthropic' : 'openai',
    model: MODELS[i % 4],
    environment: i % 5 === 0 ? 'staging' : 'production',
    timestamp: new Date(
      TEST_NOW - 47 * HOUR - 1_800_000 + Math.floor(i / 7) * HOUR + (i % 7) * 60_000,
    ).toISOString(),
    status,
    // Some fail without a code: they go by their status.
    ...(status === 'error' ? { error_code: i % 2 === 0 ? 'server_error' : 'timeout' } : {}),
    latency_ms: 100 + ((i * 37) % 900),
    input_tokens: 1_000 + i,
    cached_input_tokens: i % 3 === 0 ? 400 : 0,
    output_tokens: 10 + (i % 50),
  };
});

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  for (let at = 0; at < EVENTS.length; at += 100) {
    const sent = await app.fetch('/v1/ingest', {
      apiKey: app.seed.apiKey,
      events: EVENTS.slice(at, at + 100),
    });
    expect(sent.status).toBe(202);
  }
});
afterAll(() => app.close());

async function read<T>(path: string, query = ''): Promise<T> {
  const response = await app.fetch(`${path}?projectId=${app.seed.projectId}${query}`, {
    bearer: app.seed.bearer,
  });
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as T;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const TWO_DAYS = `&start=${new Date(TEST_NOW - 48 * HOUR).toISOString()}`;
const byHour = (events: readonly { timestamp: string }[]): Map<string, number> =>
  new Map(
    [...Map.groupBy(events, ({ timestamp }) => `${timestamp.slice(0, 13)}:00:00.000Z`)].map(([hour, own]) => [
      hour,
      own.length,
    ]),
  );

test('facets name every value with its calls, the most frequent first', async () => {
  const { environments, models, providers } = await read<Facets>('/v1/facets');
  const staging = EVENTS.filter(({ environment }) => environment === 'staging').length;
  expect(environments).toEqual([
    { value: 'production', calls: EVENTS.length - staging },
    { value: 'staging', calls: staging },
  ]);
  expect(models.map(({ value }) => value).sort()).toEqual([...MODELS].sort());
  expect(sum(models.map(({ calls }) => calls))).toBe(EVENTS.length);
  expect(sum(providers.map(({ calls }) => calls))).toBe(EVENTS.length);
});

for (const by of ['model', 'provider', 'environment'] as const) {
  for (const window of ['', TWO_DAYS]) {
    test(`cost by ${by} ${window === '' ? 'and day' : 'and hour'} adds up to the costs`, async () => {
      const { groups, times, bucket } = await read<CostBreakdown>(
        '/v1/costs/breakdown',
        `&by=${by}${window}`,
      );
      const costs = await read<CostsReply>('/v1/costs', window);
      expect(bucket).toBe(window === '' ? 'day' : 'hour');
      expect(sum(groups.map(({ cost }) => cost))).toBeCloseTo(costs.total, 9);
      expect(sum(groups.map(({ unpriced }) => unpriced))).toBe(costs.unpriced);
      for (const group of groups) {
        const own = EVENTS.filter((event) => event[by] === group.value);
        expect([group.value, group.calls]).toEqual([group.value, own.length]);
        expect(group.inputTokens).toBe(sum(own.map(({ input_tokens }) => input_tokens)));
        expect(group.outputTokens).toBe(sum(own.map(({ output_tokens }) => output_tokens)));
        const cached = sum(own.map(({ cached_input_tokens }) => cached_input_tokens));
        expect(group.cacheRate).toBeCloseTo(cached / group.inputTokens, 12);
        expect(group.costs).toHaveLength(times.length);
        expect(sum(group.costs)).toBeCloseTo(group.cost, 9);
      }
      expect(groups.map(({ cost }) => cost)).toEqual(
        groups.map(({ cost }) => cost).toSorted((a, b) => b - a),
      );
    });
  }
}

test('performance over time: each hour is what the hour alone would say', async () => {
  const { timeline, bucket } = await read<PerformanceTimeline>('/v1/performance/timeline', TWO_DAYS);
  expect(bucket).toBe('hour');
  expect(sum(timeline.map(({ calls }) => calls))).toBe(EVENTS.length);
  for (const point of timeline.filter((_, place) => place % 9 === 3)) {
    const end = new Date(Date.parse(point.time) + HOUR - 1).toISOString();
    const alone = await read<PerformanceReply>('/v1/performance', `&start=${point.time}&end=${end}`);
    const { time: _, calls, avgLatency, p50, p90, p95, p99 } = point;
    expect({ calls, avgLatency, p50, p90, p95, p99 }).toEqual({
      calls: alone.calls,
      avgLatency: alone.avgLatency,
      ...alone.latencyPercentiles,
    });
  }
});

test('performance by model: each model is what its filter would say', async () => {
  const { models } = await read<PerformanceModels>('/v1/performance/models');
  expect(models.map(({ model }) => model).sort()).toEqual([...MODELS].sort());
  for (const { model, calls, p95, tokensPerSec, timeoutRate } of models) {
    const alone = await read<PerformanceReply>('/v1/performance', `&model=${model}`);
    expect({ calls, p95, tokensPerSec, timeoutRate }).toEqual({
      calls: alone.calls,
      p95: alone.latencyPercentiles.p95,
      tokensPerSec: alone.tokensPerSec,
      timeoutRate: alone.timeoutRate,
    });
  }
});

test('errors over time add up to the groups, hour by hour as a recount says', async () => {
  const { groups, times, calls } = await read<ErrorsTimeline>('/v1/errors/timeline', TWO_DAYS);
  const { errorGroups } = await read<ErrorsReply>('/v1/errors', TWO_DAYS);
  expect(groups.map(({ error_code, counts }) => [error_code, sum(counts)])).toEqual(
    errorGroups.map(({ error_code, count }) => [error_code, count]),
  );
  const failed = byHour(EVENTS.filter(({ status }) => !['success', 'cancelled'].includes(status)));
  const all = byHour(EVENTS);
  for (const [place, time] of times.entries()) {
    expect([time, sum(groups.map(({ counts }) => counts[place] ?? 0))]).toEqual([
      time,
      failed.get(time) ?? 0,
    ]);
    expect([time, calls[place]]).toEqual([time, all.get(time) ?? 0]);
  }
});

test('each error group leads to exactly its events', async () => {
  const { errorGroups } = await read<ErrorsReply>('/v1/errors');
  expect(errorGroups.map(({ error_code }) => error_code)).toContain('rate_limited');
  for (const { error_code, count } of errorGroups) {
    const { total, events } = await read<{
      total: number;
      events: { status: string; error_code: string | null }[];
    }>('/v1/events', `&errorCode=${error_code}&limit=200`);
    expect([error_code, total, events.length]).toEqual([error_code, count, count]);
    expect(events.every((event) => (event.error_code ?? event.status) === error_code)).toBe(true);
    const { totalErrors } = await read<ErrorsReply>('/v1/errors', `&errorCode=${error_code}`);
    expect([error_code, totalErrors]).toEqual([error_code, count]);
  }
});

test('the overview says the cache rate and tokens, in all and over time', async () => {
  const path = `/v1/projects/${app.seed.projectId}/overview`;
  const { kpis, timeline } = await read<OverviewReply>(path, TWO_DAYS);
  const input = sum(EVENTS.map(({ input_tokens }) => input_tokens));
  expect([kpis.inputTokens, sum(timeline.map(({ inputTokens }) => inputTokens))]).toEqual([input, input]);
  const cached = sum(EVENTS.map(({ cached_input_tokens }) => cached_input_tokens));
  expect(kpis.cacheRate).toBeCloseTo(cached / input, 12);
  expect(sum(timeline.map(({ cacheRate, inputTokens }) => cacheRate * inputTokens))).toBeCloseTo(cached, 6);
});
