import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { WhatIf } from '../../../src/features/what-if/contract.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
const call = (provider: string, model: string, count: number, tokens: object) =>
  Array.from({ length: count }, (_, i) => ({
    provider,
    model,
    timestamp: new Date(TEST_NOW - i * 60_000).toISOString(),
    ...tokens,
  }));

beforeAll(async () => {
  world = await openTestApp();
  const events = [
    ...call('openai', 'gpt-4o', 10, { input_tokens: 1000, cached_input_tokens: 200, output_tokens: 100 }),
    ...call('acme', 'acme-1', 5, { input_tokens: 1000, output_tokens: 100 }),
    ...call('deepseek', 'deepseek-chat', 5, { input_tokens: 10_000, output_tokens: 100 }),
  ];
  await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
});
afterAll(() => world.close());

async function ask(query: string): Promise<WhatIf> {
  const response = await world.fetch(`/v1/costs/what-if?projectId=${world.seed.projectId}&${query}`, {
    bearer: world.seed.bearer,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as WhatIf;
}
const of = (doc: WhatIf, model: string) => doc.models.find((row) => row.model === model);

// 10 calls: 800 x 2.50 + 200 x 1.25 + 100 x 10 millionths each
const ACTUAL = 0.0325;

test('another model, with what it would save in all', async () => {
  const doc = await ask('from=gpt-4o&model=gpt-4o-mini');
  // 800 x 0.15 + 200 x 0.075 + 100 x 0.60
  expect(of(doc, 'gpt-4o')).toMatchObject({ as: 'openai/gpt-4o-mini', calls: 10, note: null });
  expect(of(doc, 'gpt-4o')?.actual).toBeCloseTo(ACTUAL, 12);
  expect(of(doc, 'gpt-4o')?.expected).toBeCloseTo(0.00195, 12);
  expect(doc.total.difference).toBeCloseTo(0.00195 - ACTUAL, 12);
  expect(doc.models).toHaveLength(1);
  expect(doc.assumptions.join(' ')).toContain('tokenizers differ');
});

test('caching, batches and sampling, alone and together', async () => {
  const expected = async (query: string): Promise<number> => of(await ask(query), 'gpt-4o')?.expected ?? 0;
  // Half of the 800 fresh tokens are read from the cache instead.
  expect(await expected('caching=0.5')).toBeCloseTo(0.0275, 12);
  expect(await expected('batch=1')).toBeCloseTo(ACTUAL / 2, 12);
  expect(await expected('batch=0.5')).toBeCloseTo(ACTUAL * 0.75, 12);
  expect(await expected('sample=0.1')).toBeCloseTo(ACTUAL / 10, 12);
  expect(await expected('caching=0.5&batch=1&sample=0.1')).toBeCloseTo(0.0275 / 20, 12);
  expect(of(await ask('batch=1'), 'deepseek-chat')?.note).toContain('no known batch discount');
});

test('what has no price is in no total and not 0', async () => {
  const doc = await ask('sample=1');
  expect(of(doc, 'acme-1')).toMatchObject({ actual: null, expected: null, difference: null, unpriced: 5 });
  expect(doc.total).toMatchObject({ calls: 15, leftOut: 5, unpriced: 5 });
  expect(doc.total.difference).toBeCloseTo(0, 9);
  const wished = await ask('model=nobody/knows');
  expect(wished.models.map(({ expected }) => expected)).toEqual([null, null, null]);
  expect(wished.total).toMatchObject({ calls: 0, leftOut: 20 });
});

test.each([7, 30])('the last %p days are those of all other figures', async (days) => {
  const response = await world.fetch(`/v1/metrics/query?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
    json: { measures: ['cost'], range: `${days}d` },
  });
  const { start } = (await response.json()) as { start: string };
  expect((await ask(`batch=1&days=${days}`)).from).toBe(start);
});

test.each(['', 'caching=2', 'days=0', 'batch=x'])('%s is refused', async (query) => {
  const path = `/v1/costs/what-if?projectId=${world.seed.projectId}&${query}`;
  expect((await world.fetch(path, { bearer: world.seed.bearer })).status).toBe(400);
});

test('a window and an environment say which calls', async () => {
  const start = new Date(TEST_NOW - 4 * 60_000).toISOString();
  const doc = await ask(`sample=1&from=gpt-4o&start=${start}`);
  expect(of(doc, 'gpt-4o')?.calls).toBe(5);
  expect(doc).toMatchObject({ from: start, to: new Date(TEST_NOW).toISOString() });
  expect((await ask('sample=1&environment=nowhere')).models).toEqual([]);
  const path = `/v1/costs/what-if?projectId=${world.seed.projectId}&sample=1&start=${start}&end=2020-01-01`;
  expect((await world.fetch(path, { bearer: world.seed.bearer })).status).toBe(400);
});
