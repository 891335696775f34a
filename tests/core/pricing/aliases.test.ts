import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { BUILT_IN, createPricer, inferProvider } from '../../../src/core/pricing/index.ts';

const pricer = createPricer();
const million = {
  fresh: 1_000_000,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 1_000_000,
  reasoning: 0,
};
const priceOf = (provider: string | null, model: string, at: string) =>
  pricer.priceCall({ provider, model, ts: Date.parse(at), buckets: million });

/** Provider, alias, time, and dollars for a million tokens in and a million out, by the provider's price list. */
const DOCUMENTED: readonly (readonly [string, string, string, number, string])[] = [
  ['deepseek', 'deepseek-chat', '2025-05-01T12:00:00Z', 0.27 + 1.1, 'V3 by day'],
  ['deepseek', 'deepseek-chat', '2025-09-05T15:59:59Z', 0.27 + 1.1, 'V3 until 16:00'],
  ['deepseek', 'deepseek-chat', '2025-09-05T16:30:00Z', 0.56 + 1.68, 'V3.1, without the cheaper night'],
  ['deepseek', 'deepseek-reasoner', '2025-09-20T20:00:00Z', 0.56 + 1.68, 'V3.1 thinks at the same price'],
  ['deepseek', 'deepseek-reasoner', '2025-12-02T12:00:00Z', 0.28 + 0.42, 'V3.2'],
  ['deepseek', 'deepseek-chat', '2026-04-24T00:00:00Z', 0.14 + 0.28, 'V4 Flash'],
  ['google', 'gemini-flash-latest', '2025-10-01T00:00:00Z', 0.3 + 2.5, '2.5 Flash'],
  ['google', 'gemini-flash-latest', '2026-02-01T00:00:00Z', 0.5 + 3, '3 Flash'],
  ['google', 'models/gemini-flash-latest', '2026-07-01T00:00:00Z', 1.5 + 9, '3.5 Flash'],
  ['google', 'gemini-flash-latest', '2026-11-20T00:00:00Z', 0.75 + 3.75, '3.8 Flash'],
  ['google', 'gemini-flash-latest', '2027-01-01T00:00:00Z', 1.5 + 7.5, '3.8 Flash from 2027'],
  ['google', 'gemini-flash-lite-latest', '2025-10-01T00:00:00Z', 0.1 + 0.4, '2.5 Flash-Lite'],
  ['google', 'gemini-flash-lite-latest', '2026-09-01T00:00:00Z', 0.3 + 2.5, '3.5 Flash-Lite'],
  ['google', 'gemini-pro-latest', '2026-11-20T00:00:00Z', 4 + 18, '3.1 Pro, long'],
  ['mistral', 'mistral-large-latest', '2025-12-01T23:59:59Z', 2 + 6, 'Large 2'],
  ['mistral', 'mistral-large-latest', '2025-12-02T00:00:00Z', 0.5 + 1.5, 'Large 3'],
  ['mistral', 'mistral-small-latest', '2026-11-20T00:00:00Z', 0.15 + 0.6, 'Small 4'],
  ['mistral', 'devstral-medium-latest', '2026-11-20T00:00:00Z', 0.4 + 2, 'Devstral 2'],
  ['mistral', 'ministral-14b-latest', '2026-11-20T00:00:00Z', 0.2 + 0.2, 'Ministral 3 14B'],
  ['openai', 'gpt-4o', '2024-10-01T23:59:59Z', 5 + 15, 'the snapshot of May 2024'],
  ['openai', 'gpt-4o', '2024-10-02T00:00:00Z', 2.5 + 10, 'the snapshot of August 2024'],
  ['anthropic', 'claude-3-5-sonnet-latest', '2025-01-01T00:00:00Z', 3 + 15, 'one price for both snapshots'],
  ['anthropic', 'claude-3-7-sonnet-latest', '2025-05-01T00:00:00Z', 3 + 15, 'one snapshot'],
  ['openai', 'chatgpt-4o-latest', '2025-05-01T00:00:00Z', 5 + 15, 'a price of its own'],
];

describe('an alias is priced as what it stood for at the time', () => {
  test.each(DOCUMENTED)('%s %s at %s: %d (%s)', (provider, model, at, usd) => {
    const price = priceOf(provider, model, at);
    expect(price).toMatchObject({ status: 'priced' });
    expect('cost_nano' in price ? price.cost_nano / 1e9 : null).toBeCloseTo(usd, 9);
  });

  test.each([
    [
      'gemini-flash-latest',
      '2025-09-24T23:59:59Z',
      'what gemini-flash-latest stood for before 2025-09-25 is unknown',
    ],
    [
      'gemini-flash-latest',
      '2026-06-01T00:00:00Z',
      'moved to gemini-3.5-flash between 2026-05-19 and 2026-06-24',
    ],
  ])('%s at %s is an estimate that says why', (model, at, note) => {
    const price = priceOf('google', model, at);
    expect(price).toMatchObject({ status: 'estimated', price: { note: expect.stringContaining(note) } });
    // The same price is the same object, so that it is stored once.
    const again = priceOf('google', model, at);
    expect('price' in price && 'price' in again && price.price === again.price).toBe(true);
  });

  test('modifiers of the model apply to its alias', () => {
    const of = (model: string) =>
      pricer.priceCall({
        provider: 'google',
        model,
        ts: Date.parse('2026-11-20'),
        buckets: million,
        extras: {
          serviceTier: 'batch',
          speed: null,
          geo: null,
          media: null,
          audioSeconds: 0,
          pages: 0,
          citations: 0,
          webSearch: 0,
          unread: [],
        },
      });
    expect(of('gemini-flash-latest')).toEqual(of('gemini-3.8-flash'));
    expect(of('gemini-flash-latest')).toMatchObject({ status: 'priced', price: { factor: 0.5 } });
  });

  test('it is found without its provider, and a reseller keeps its own', () => {
    expect(inferProvider('gemini-flash-latest')).toBe('google');
    expect(priceOf(null, 'deepseek-chat', '2025-12-02')).toMatchObject({ price: { model: 'DeepSeek-V3.2' } });
    expect(priceOf('openrouter', 'deepseek/deepseek-chat', '2025-12-02')).toMatchObject({
      price: { provider: 'openrouter', model: 'deepseek/deepseek-chat' },
    });
  });
});

test('every target of a built-in alias is listed, in order of time', () => {
  for (const { provider, name, targets } of BUILT_IN.aliases) {
    const models = BUILT_IN.providers.find(({ id }) => id === provider)?.models ?? [];
    for (const { model, prices } of targets)
      expect([name, prices !== undefined || models.some(({ id }) => id === model)]).toEqual([name, true]);
    const times = targets.map(({ from }) => Date.parse(from));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
});

test('the built-in catalogue names the version of its package', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(BUILT_IN.version).toBe(`genai-prices ${dependencies['@pydantic/genai-prices']}`);
  expect(BUILT_IN.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});
