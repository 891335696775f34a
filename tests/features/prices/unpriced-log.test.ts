import { afterAll, beforeAll, expect, test } from 'bun:test';
import pino from 'pino';
import type { CostsReply } from '../../../src/features/analytics/contract.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
const lines: { msg: string; model?: string; provider?: string; reason?: string }[] = [];
beforeAll(async () => {
  const write = (line: string): void => void lines.push(JSON.parse(line));
  world = await openTestApp({ log: pino({ level: 'warn' }, { write }) });
});
afterAll(() => world.close());

const record = (...events: object[]): Promise<void> => recordAs(world.seed.apiKey, events);

async function recordAs(apiKey: string, events: readonly object[]): Promise<void> {
  const timestamp = new Date(TEST_NOW).toISOString();
  const sent = events.map((event) => ({ timestamp, ...event }));
  expect((await world.fetch('/v1/ingest', { apiKey, events: sent })).status).toBe(202);
}

const told = (): unknown[] => lines.map(({ provider, model, reason }) => [provider, model, reason]);

test('a model without a price is told once in the log, one that has a price never', async () => {
  const unknown = { provider: 'acme', model: 'acme-1', input_tokens: 10 };
  await record(unknown, unknown, { provider: 'openai', model: 'gpt-4o', input_tokens: 10 });
  await record(unknown, { ...unknown, provider: 'openai' }, { provider: 'openai', model: 'gpt-4o' });
  expect(told()).toEqual([
    ['acme', 'acme-1', 'unknown_provider'],
    ['openai', 'acme-1', 'unknown_model'],
  ]);
});

test('names that a sender makes up fill neither the log nor the memory', async () => {
  const madeUp = (batch: number): object[] =>
    Array.from({ length: 100 }, (_, i) => ({
      provider: 'acme',
      model: `made-up-${batch}-${i}-${'x'.repeat(100)}`,
      input_tokens: 1,
    }));
  await record(...madeUp(0));
  await record(...madeUp(1));
  expect(lines.length).toBe(51);
  expect(lines.at(-1)?.msg).toContain('not logged');
  // Nor do they silence what others are told, up to what a log can hold.
  const start = lines.length;
  for (let tenant = 0; tenant < 10; tenant++)
    await recordAs((await world.addTenant(`Tenant ${tenant}`)).apiKey, madeUp(tenant));
  expect(lines.length).toBe(start + 9 * 51);
  expect(lines.at(-1)?.msg).toContain('not logged');
  expect(lines.every(({ model = '' }) => model.length <= 120)).toBe(true);
});

test('totals tell how many tokens have no price, of these calls alone', async () => {
  const tenant = await world.addTenant();
  const call = { provider: 'openai', model: 'gpt-4o', output_tokens: 5 };
  const events = [
    { ...call, input_tokens: 1_000 },
    { ...call, output_tokens: 0 },
    { provider: 'acme', model: 'acme-1', input_tokens: 70, output_tokens: 8 },
  ].map((event) => ({ timestamp: new Date(TEST_NOW).toISOString(), ...event }));
  expect((await world.fetch('/v1/ingest', { apiKey: tenant.apiKey, events })).status).toBe(202);
  const get = async <T>(path: string): Promise<T> =>
    (await (
      await world.fetch(`${path}?projectId=${tenant.projectId}`, { bearer: tenant.bearer })
    ).json()) as T;
  const costs = await get<CostsReply>('/v1/costs');
  expect(costs).toMatchObject({ unpriced: 2, unpricedTokens: 78 });
  expect(Object.fromEntries(costs.unpricedModels.map(({ model, tokens }) => [model, tokens]))).toEqual({
    'gpt-4o': 0,
    'acme-1': 78,
  });
  const { models } = await get<{ models: object[] }>('/v1/prices/unpriced');
  expect(models).toContainEqual(
    expect.objectContaining({ model: 'acme-1', inputTokens: 70, outputTokens: 8 }),
  );
  expect(models).toContainEqual(
    expect.objectContaining({ model: 'gpt-4o', inputTokens: 0, outputTokens: 0 }),
  );
});
