import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import type { CostBreakdown, CostsReply } from '../../../src/features/analytics/contract.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
const timeOf = (i: number): number => TEST_NOW - ((i * 7_919_000) % (20 * DAY_MS));
const userOf = (i: number): string | null => (i % 9 === 0 ? null : `user-${i % 13}`);

beforeAll(async () => {
  world = await openTestApp();
  const { seed } = world;
  for (let at = 0; at < 400; at += 100) {
    const events = Array.from({ length: 100 }, (_, n) => ({
      provider: n % 10 === 9 ? 'acme' : 'openai',
      model: 'gpt-4o',
      timestamp: new Date(timeOf(at + n)).toISOString(),
      input_tokens: 1_000 * (1 + n),
      cached_input_tokens: 500,
      output_tokens: n,
      environment: n % 2 === 0 ? 'production' : 'staging',
      ...(userOf(at + n) === null ? {} : { user_id: userOf(at + n) }),
    }));
    expect((await world.fetch('/v1/ingest', { apiKey: seed.apiKey, events })).status).toBe(202);
    if (at < 300) await world.ctx.use(sealerService).sealAll(1);
  }
});
afterAll(() => world.close());

async function get<T>(path: string, window: string): Promise<T> {
  const url = `${path}?projectId=${world.seed.projectId}${window}`;
  const response = await world.fetch(url, { bearer: world.seed.bearer });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

const iso = (ms: number): string => new Date(ms).toISOString();
const WINDOWS = [
  '',
  `&start=${iso(TEST_NOW - 9.3 * DAY_MS)}&end=${iso(TEST_NOW - 2.77 * DAY_MS)}`,
  `&start=${iso(TEST_NOW - 5.41 * DAY_MS)}&end=${iso(TEST_NOW - 5.02 * DAY_MS)}`,
  `&start=${iso(TEST_NOW - 12.5 * DAY_MS)}&end=${iso(TEST_NOW - 3.5 * DAY_MS - 1)}`,
];

test('costs by user and of nobody add up to all costs in any window, and stand on their days', async () => {
  for (const window of WINDOWS) {
    const all = await get<CostsReply>('/v1/costs', window);
    const { groups, bucket, times } = await get<CostBreakdown>('/v1/costs/breakdown', `${window}&by=userId`);
    const sum = (of: 'cost' | 'calls' | 'unpriced' | 'inputTokens'): number =>
      groups.reduce((total, group) => total + group[of], 0);
    expect([sum('calls'), sum('unpriced'), sum('inputTokens')]).toEqual([
      all.calls,
      all.unpriced,
      all.tokens.input,
    ]);
    expect(sum('cost')).toBeCloseTo(all.total, 9);
    expect(groups.map(({ cost }) => cost)).toEqual(groups.map(({ cost }) => cost).sort((a, b) => b - a));
    if (window === '') expect(groups.map(({ value }) => value)).toContain('unknown');
    // Few calls of a short time are told by the hour.
    expect(bucket).toBe(window === WINDOWS[2] ? 'hour' : 'day');
    if (bucket === 'hour') continue;
    expect(times.map((time) => time.slice(0, 10))).toEqual(all.dailyTrend.map(({ date }) => date));
    for (const [day, { cost }] of all.dailyTrend.entries())
      expect(groups.reduce((total, { costs }) => total + (costs[day] ?? 0), 0)).toBeCloseTo(cost, 9);
  }
});

test('with a filter they are the same as counted call by call', async () => {
  const { groups } = await get<CostBreakdown>('/v1/costs/breakdown', `&environment=staging&by=userId`);
  expect(groups.reduce((sum, { calls }) => sum + calls, 0)).toBe(200);
  const [known] = groups.filter(({ value }) => value === 'user-5');
  const mine = Array.from({ length: 400 }, (_, i) => i).filter((i) => userOf(i) === 'user-5' && i % 2 === 1);
  expect(known?.calls).toBe(mine.length);
});
