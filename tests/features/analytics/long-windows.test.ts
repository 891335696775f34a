import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { CostBreakdown, ErrorsTimeline } from '../../../src/features/analytics/contract.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
/** Ages of events in days: the oldest is well over a year back. */
const AGES = [0, 1, 30, 500];
beforeAll(async () => {
  world = await openTestApp();
  const events = AGES.map((days) => ({
    provider: 'openai',
    model: 'gpt-4o',
    input_tokens: 1_000_000,
    status: days === 1 ? 'error' : 'success',
    user_id: `u-${days}`,
    tags: { team: 'red' },
    timestamp: new Date(TEST_NOW - days * DAY_MS).toISOString(),
  }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
});
afterAll(() => world.close());

async function get<T>(path: string, window: string): Promise<T> {
  const response = await world.fetch(`${path}projectId=${world.seed.projectId}${window}`, {
    bearer: world.seed.bearer,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

const FIRST = new Date(TEST_NOW - 500 * DAY_MS).toISOString().slice(0, 10);
const WINDOWS = ['&start=1940-01-01', '&start=1980-01-01&end=2070-01-01'];

test.each(['model', 'provider', 'userId', 'key', 'tag:team', 'day'])(
  'costs by %s of a hundred years are told from the first day that has any',
  async (by) => {
    for (const window of WINDOWS) {
      const { times, groups } = await get<CostBreakdown>('/v1/costs/breakdown?', `&by=${by}${window}`);
      expect(times[0]?.slice(0, 10)).toBe(FIRST);
      expect(times.length).toBeLessThan(510);
      expect(groups.reduce((sum, { calls }) => sum + calls, 0)).toBe(AGES.length);
      const costs = groups.flatMap((group) => {
        expect(group.costs).toHaveLength(times.length);
        return group.costs;
      });
      expect(costs.reduce((sum, cost) => sum + cost)).toBeCloseTo(AGES.length * 2.5, 9);
    }
  },
);

test('so are failures, and a year is told whether it has any or not', async () => {
  const { times } = await get<ErrorsTimeline>('/v1/errors/timeline?', WINDOWS[0] ?? '');
  expect(times[0]?.slice(0, 10)).toBe(FIRST);
  const empty = await get<CostBreakdown>('/v1/costs/breakdown?', '&by=key&start=1940-01-01&end=1990-01-01');
  expect(empty.groups).toEqual([]);
  expect(empty.times.length).toBeLessThan(370);
  const month = await get<CostBreakdown>('/v1/costs/breakdown?', '&by=key&start=1990-01-01&end=1990-01-31');
  expect(month.times[0]?.slice(0, 10)).toBe('1990-01-01');
});

test('costs by day are told for so many days that the reply stays small', async () => {
  const tenant = await world.addTenant();
  const events = Array.from({ length: 1_101 }, (_, days) => ({
    provider: 'openai',
    model: 'gpt-4o',
    timestamp: new Date(TEST_NOW - days * DAY_MS).toISOString(),
  }));
  for (let at = 0; at < events.length; at += 100) {
    const batch = events.slice(at, at + 100);
    expect((await world.fetch('/v1/ingest', { apiKey: tenant.apiKey, events: batch })).status).toBe(202);
  }
  const path = `/v1/costs/breakdown?projectId=${tenant.projectId}&by=day&start=`;
  const all = await world.fetch(`${path}2010-01-01`, { bearer: tenant.bearer });
  expect([all.status, await all.json()]).toEqual([
    400,
    { error: 'start: costs by day cover at most 1,100 days, not 1,101; choose a shorter range' },
  ]);
  const start = new Date(TEST_NOW - 1_099 * DAY_MS).toISOString();
  expect((await world.fetch(`${path}${start}`, { bearer: tenant.bearer })).status).toBe(200);
});
