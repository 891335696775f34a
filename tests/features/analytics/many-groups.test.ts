import { afterAll, beforeAll, expect, test } from 'bun:test';
import type {
  CostsReply,
  ErrorsReply,
  ErrorsTimeline,
  Facets,
  OverviewReply,
} from '../../../src/features/analytics/contract.ts';
import type { PerformanceModels } from '../../../src/features/analytics/performance/contract.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

/** As many models and error codes, each with as many calls as there are batches with it. */
const MANY = 2_300;
/** Of these, in each batch. */
const OFTEN = ['code-7', 'code-2299'];

let world: TestApp;
const counts = new Map<string, number>();

beforeAll(async () => {
  world = await openTestApp();
  for (let first = 0; first < MANY; first += 95) {
    const own = Array.from({ length: Math.min(95, MANY - first) }, (_, i) => `code-${first + i}`);
    const codes = [...own, ...OFTEN];
    for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
    const events = codes.map((error_code, i) => ({
      provider: 'openai',
      model: `gpt-4o-${error_code}`,
      // A code may come with several statuses.
      status: OFTEN.includes(error_code) && first % 2 === 1 ? 'timeout' : 'error',
      error_code,
      timestamp: new Date(TEST_NOW - (i + 1) * HOUR_MS).toISOString(),
      cost_usd: 0.01,
    }));
    expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  }
});
afterAll(() => world.close());

async function read<T>(path: string): Promise<T> {
  const { projectId, bearer } = world.seed;
  const reply = await world.fetch(`${path}?projectId=${projectId}`, { bearer });
  expect([path, reply.status]).toEqual([path, 200]);
  return (await reply.json()) as T;
}

const total = (): number => counts.values().reduce((sum, count) => sum + count, 0);
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

test('costs tell a thousand models and the others together', async () => {
  const { byModel, otherModels, ...costs } = await read<CostsReply>('/v1/costs');
  expect(byModel).toHaveLength(1_000);
  expect(otherModels?.models).toBe(MANY - 1_000);
  expect(sum(byModel.map(({ calls }) => calls)) + (otherModels?.calls ?? 0)).toBe(costs.calls);
  expect(sum(byModel.map(({ total_cost }) => total_cost)) + (otherModels?.total_cost ?? 0)).toBeCloseTo(
    costs.total,
    6,
  );
  expect(byModel.slice(0, 2).map(({ model }) => model)).toEqual(OFTEN.map((code) => `gpt-4o-${code}`).sort());
});

test('errors tell a thousand codes, each with all of its calls, and the others together', async () => {
  const { errorGroups, otherGroups, totalErrors } = await read<ErrorsReply>('/v1/errors');
  expect(totalErrors).toBe(total());
  expect(errorGroups).toHaveLength(1_000);
  for (const { error_code, count, top_model } of errorGroups) {
    expect([error_code, count]).toEqual([error_code, counts.get(error_code) ?? 0]);
    expect(top_model).toBe(`gpt-4o-${error_code}`);
  }
  expect(errorGroups.slice(0, 2).map(({ error_code }) => error_code)).toEqual([...OFTEN].sort());
  expect(otherGroups?.count).toBe(totalErrors - sum(errorGroups.map(({ count }) => count)));
  expect(otherGroups?.groups).toBeGreaterThanOrEqual(MANY - 1_000);
  expect(otherGroups?.groups).toBeLessThanOrEqual(MANY - 1_000 + OFTEN.length);
});

test('errors over time tell five hundred codes and the others together', async () => {
  const { groups, others, calls } = await read<ErrorsTimeline>('/v1/errors/timeline');
  expect(groups.length).toBeLessThanOrEqual(500);
  expect(groups.length).toBeGreaterThanOrEqual(500 - OFTEN.length);
  const inSteps = calls.map(
    (_, step) => sum(groups.map((group) => group.counts[step] ?? 0)) + (others?.counts[step] ?? 0),
  );
  expect(inSteps).toEqual(calls);
  expect(sum(inSteps)).toBe(total());
});

test('performance tells the thousand most called models, and how many others there are', async () => {
  const { models, otherModels } = await read<PerformanceModels>('/v1/performance/models');
  expect(models).toHaveLength(1_000);
  expect(otherModels).toBe(MANY - 1_000);
  expect(models.slice(0, 2).map(({ model, calls }) => [model, calls])).toEqual(
    [...OFTEN].sort().map((code) => [`gpt-4o-${code}`, counts.get(code) ?? 0]),
  );
});

test('the first models of the overview and of the filters are models, not the others', async () => {
  const { topModels } = await read<OverviewReply>(`/v1/projects/${world.seed.projectId}/overview`);
  expect(topModels).toHaveLength(5);
  const { models } = await read<Facets>('/v1/facets');
  expect(models).toHaveLength(100);
  for (const name of [...topModels.map(({ model }) => model), ...models.map(({ value }) => value)])
    expect(name).toStartWith('gpt-4o-code-');
});

test('each of a thousand codes has all of its calls, whatever their statuses', async () => {
  const { apiKey, projectId, bearer } = await world.addTenant();
  const statuses = ['error', 'error', 'timeout', 'rate_limited'];
  const events = Array.from({ length: 1_001 }, (_, no) =>
    statuses.map((status) => ({
      ...{ provider: 'openai', model: 'gpt-4o', status, error_code: `code-${no}` },
      timestamp: new Date(TEST_NOW - HOUR_MS).toISOString(),
    })),
  ).flat();
  for (let from = 0; from < events.length; from += 100) {
    const sent = await world.fetch('/v1/ingest', { apiKey, events: events.slice(from, from + 100) });
    expect(sent.status).toBe(202);
  }
  const reply = await world.fetch(`/v1/errors?projectId=${projectId}`, { bearer });
  const { errorGroups, otherGroups, totalErrors } = (await reply.json()) as ErrorsReply;
  expect(totalErrors).toBe(events.length);
  expect(errorGroups).toHaveLength(1_000);
  for (const { error_code, count } of errorGroups) expect([error_code, count]).toEqual([error_code, 4]);
  expect(otherGroups?.count).toBe(4);
});

test('each of many codes has the model with most of its calls, whatever their statuses', async () => {
  const { apiKey, projectId, bearer } = await world.addTenant();
  const random = createRandom(TEST_SEED);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const models = Array.from({ length: 9 }, (_, no) => `model-${no}`);
  const codes = Array.from({ length: 650 }, (_, no) => (no === 0 ? 'timeout' : `code-${no}`));
  const expected = new Map<string, Map<string, number>>();
  const events = Array.from({ length: 9_000 }, () => {
    const error_code = pick([...codes, null, null]);
    const status = pick(['error', 'timeout', 'rate_limited']);
    const model = pick(models);
    const own = expected.get(error_code ?? status) ?? new Map<string, number>();
    expected.set(error_code ?? status, own.set(model, (own.get(model) ?? 0) + 1));
    const timestamp = new Date(TEST_NOW - HOUR_MS).toISOString();
    return { provider: 'openai', model, status, timestamp, ...(error_code && { error_code }) };
  });
  for (let from = 0; from < events.length; from += 100) {
    const sent = await world.fetch('/v1/ingest', { apiKey, events: events.slice(from, from + 100) });
    expect(sent.status).toBe(202);
  }
  const reply = await world.fetch(`/v1/errors?projectId=${projectId}`, { bearer });
  const { errorGroups } = (await reply.json()) as ErrorsReply;
  expect(errorGroups).toHaveLength(expected.size);
  for (const { error_code, count, top_model } of errorGroups) {
    const own = [...(expected.get(error_code) ?? [])];
    const [most] = own.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0] ?? [];
    expect([error_code, count, top_model]).toEqual([
      error_code,
      sum(own.map(([, calls]) => calls)),
      most ?? '',
    ]);
  }
});
