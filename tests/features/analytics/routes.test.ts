import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  costsReplySchema,
  errorsReplySchema,
  overviewReplySchema,
} from '../../../src/features/analytics/contract.ts';
import { performanceReplySchema } from '../../../src/features/analytics/performance/contract.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

let app: TestApp;
let empty: Tenant;
const iso = (ms: number): string => new Date(ms).toISOString();
const CALL = { provider: 'openai', model: 'gpt-4o', input_tokens: 1000, output_tokens: 100, latency_ms: 100 };

beforeAll(async () => {
  app = await openTestApp();
  empty = await app.addTenant();
  const at = (ms: number, more: object): object => ({ ...CALL, timestamp: iso(TEST_NOW + ms), ...more });
  await app.fetch('/v1/ingest', {
    apiKey: app.seed.apiKey,
    events: [
      at(0, { stream: true, ttft_ms: 50 }),
      at(-HOUR_MS, { cached_input_tokens: 500, latency_ms: 300 }),
      at(-2 * HOUR_MS, { status: 'timeout', error_code: 'deadline' }),
      at(-3 * HOUR_MS, { status: 'rate_limited' }),
      at(-3 * HOUR_MS - 1, { status: 'cancelled' }),
      at(-DAY_MS, { model: 'our-own-model' }),
      at(-2 * DAY_MS, { cost_usd: 2 }),
      at(-40 * DAY_MS, { cost_usd: 8 }),
      at(0, { kind: 'tool', status: 'error', model: undefined, provider: undefined }),
    ],
  });
});
afterAll(() => app.close());

const get = async (path: string, tenant: Tenant = app.seed): Promise<unknown> => {
  const query = path.includes('?') ? '&' : '?';
  const response = await app.fetch(`${path}${query}projectId=${tenant.projectId}`, { bearer: tenant.bearer });
  expect(response.status).toBe(200);
  return response.json();
};
const overview = async (query = '', tenant: Tenant = app.seed) =>
  overviewReplySchema.parse(await get(`/v1/projects/${tenant.projectId}/overview${query}`, tenant));

describe('GET /v1/projects/:id/overview', () => {
  test('sums up the last 30 days by day, and the 30 before', async () => {
    const reply = await overview();
    expect(reply.kpis).toMatchObject({ totalRequests: 7, errors: 2, errorRate: 2 / 7, unpriced: 1 });
    expect(reply.kpis.avgLatency).toBeCloseTo(900 / 7);
    expect(reply.previous).toMatchObject({ totalRequests: 1, totalCost: 8 });
    expect(reply.bucket).toBe('day');
    expect(reply.timeline).toHaveLength(31);
    expect(reply.timeline.at(-1)).toMatchObject({ hour: '2026-06-15T00:00:00.000Z', requests: 5, errors: 2 });
    expect(reply.timeline.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(reply.kpis.totalCost);
    expect(reply.topModels.map(({ model, requests, unpriced }) => [model, requests, unpriced])).toEqual([
      ['gpt-4o', 6, 0],
      ['our-own-model', 1, 1],
    ]);
  });

  test('lists the most recent calls without success, cancelled ones too', async () => {
    expect((await overview()).recentErrors.map(({ status, error_code }) => [status, error_code])).toEqual([
      ['timeout', 'deadline'],
      ['rate_limited', null],
      ['cancelled', null],
    ]);
    expect((await overview('?status=cancelled')).recentErrors).toHaveLength(1);
    expect((await overview('?status=success')).recentErrors).toEqual([]);
  });

  test('goes by the hour up to 48 hours', async () => {
    const { bucket, timeline } = await overview(`?start=${iso(TEST_NOW - 2 * DAY_MS)}&end=${iso(TEST_NOW)}`);
    expect(bucket).toBe('hour');
    expect(timeline).toHaveLength(49);
    expect(timeline[0]).toMatchObject({ hour: iso(TEST_NOW - 2 * DAY_MS), requests: 1, cost: 2 });
    expect((await overview(`?start=${iso(TEST_NOW - 2 * DAY_MS - 1)}`)).bucket).toBe('day');
  });

  test('of an empty project is all zeros', async () => {
    const reply = await overview('', empty);
    expect(reply.kpis).toMatchObject({ totalRequests: 0, totalCost: 0, avgLatency: 0, errorRate: 0 });
    expect(reply.topModels).toEqual([]);
  });
});

describe('GET /v1/costs', () => {
  const costs = async (query = '', tenant: Tenant = app.seed) =>
    costsReplySchema.parse(await get(`/v1/costs${query}`, tenant));

  test('adds up by model and day, and says what has no price', async () => {
    const reply = await costs();
    // Four calls at 2.5 and 10 USD a million, one with half its input cached at 1.25, one as stated.
    const total = 4 * 0.0035 + (0.00125 + 0.000625 + 0.001) + 2;
    expect(reply.total).toBeCloseTo(total, 9);
    expect(reply.byModel[0]).toMatchObject({ model: 'gpt-4o', calls: 6, unpriced: 0 });
    expect(reply.byModel[0]?.avg_cost).toBeCloseTo(total / 6, 9);
    expect(reply.unpriced).toBe(1);
    expect(reply.unpricedModels).toEqual([
      { provider: 'openai', model: 'our-own-model', calls: 1, tokens: 1100 },
    ]);
    expect(reply.dailyTrend).toHaveLength(31);
    expect(reply.dailyTrend.at(-3)).toEqual({ date: '2026-06-13', cost: 2 });
    expect(reply.cacheRate).toBeCloseTo(500 / 7000);
    expect(reply.previousTotal).toBe(8);
    expect(reply.mtdTotal).toBeCloseTo(total, 9);
    expect(reply.tokens).toEqual({
      input: 7000,
      fresh: 6500,
      cacheRead: 500,
      cacheWrite: 0,
      output: 700,
      reasoning: 0,
    });
  });

  test('tells the end of the month as what is spent and what each day left will cost', async () => {
    const { monthEnd, mtdTotal } = await costs();
    if (monthEnd === null) throw new Error('no end of the month');
    expect(monthEnd.days.map(({ date }) => date)).toEqual(
      Array.from({ length: 16 }, (_, i) => `2026-06-${15 + i}`),
    );
    expect(monthEnd.days.every(({ cost }) => cost >= 0)).toBe(true);
    expect(monthEnd.total).toBeCloseTo(mtdTotal + monthEnd.days.reduce((sum, { cost }) => sum + cost, 0), 9);
  });

  test('tells month and forecast whatever the window, and takes filters', async () => {
    const narrow = await costs(`?start=${iso(TEST_NOW)}&end=${iso(TEST_NOW)}`);
    const wide = await costs();
    expect([narrow.mtdTotal, narrow.forecast30d]).toEqual([wide.mtdTotal, wide.forecast30d]);
    expect(narrow.calls).toBe(1);
    expect((await costs('?model=our-own-model')).total).toBe(0);
  });

  test('of an empty project is all zeros', async () => {
    expect(await costs('', empty)).toMatchObject({
      total: 0,
      forecast30d: 0,
      forecastDays: 0,
      mtdTotal: 0,
      monthEnd: null,
      byModel: [],
    });
  });
});

describe('GET /v1/performance', () => {
  test('gives nearest-rank percentiles and rates', async () => {
    const reply = performanceReplySchema.parse(await get('/v1/performance'));
    expect(reply.latencyPercentiles).toEqual({ p50: 100, p90: 300, p95: 300, p99: 300 });
    expect(reply.avgTtft).toBe(50);
    expect(reply.timeoutRate).toBeCloseTo(1 / 7);
    expect(reply.tokensPerSec).toBeCloseTo(700 / 0.85);
  });

  test('of an empty project is all zeros', async () => {
    const reply = performanceReplySchema.parse(await get('/v1/performance', empty));
    expect(reply).toMatchObject({ latencyPercentiles: { p50: 0, p99: 0 }, tokensPerSec: 0, calls: 0 });
  });
});

describe('GET /v1/errors', () => {
  test('groups failures by code, or by status where there is none', async () => {
    const reply = errorsReplySchema.parse(await get('/v1/errors'));
    expect(reply.errorGroups).toEqual([
      { error_code: 'deadline', count: 1, trend: 'stable', top_model: 'gpt-4o' },
      { error_code: 'rate_limited', count: 1, trend: 'stable', top_model: 'gpt-4o' },
    ]);
    expect(reply.rateLimitHeatmap).toEqual([{ hour: iso(TEST_NOW - 3 * HOUR_MS), rate_limited_count: 1 }]);
    expect(reply).toMatchObject({ totalErrors: 2, totalCalls: 7, errorRate: 2 / 7 });
  });

  test('of a status that is no failure is empty', async () => {
    const reply = errorsReplySchema.parse(await get('/v1/errors?status=cancelled'));
    expect(reply).toMatchObject({ errorGroups: [], rateLimitHeatmap: [], totalErrors: 0, totalCalls: 1 });
  });
});

describe('every one of them', () => {
  const paths = ['/v1/costs', '/v1/performance', '/v1/errors'];
  test.each(paths)('%s refuses what it cannot read, and strangers', async (path) => {
    const projectId = app.seed.projectId;
    const bad = ['&start=soon', '&end=2026-13-01', '&status=broken', '&start=2026-06-02&end=2026-06-01'];
    for (const query of bad) {
      const response = await app.fetch(`${path}?projectId=${projectId}${query}`, { bearer: app.seed.bearer });
      expect(response.status).toBe(400);
    }
    expect((await app.fetch(`${path}?projectId=${projectId}`, { bearer: empty.bearer })).status).toBe(403);
    expect((await app.fetch(`${path}?projectId=${projectId}`)).status).toBe(401);
    expect((await app.fetch(path, { bearer: app.seed.bearer })).status).toBe(400);
  });
});
