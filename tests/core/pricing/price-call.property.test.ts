import { describe, expect, test } from 'bun:test';
import type { ModelPrice } from '@pydantic/genai-prices';
import { calcPrice, waitForUpdate } from '@pydantic/genai-prices';
import fc from 'fast-check';
import type { PriceableCall, UsageBuckets } from '../../../src/core/pricing/index.ts';
import { BUILT_IN, createPricer } from '../../../src/core/pricing/index.ts';

const { priceCall } = createPricer();

const catalogue = (await waitForUpdate()) ?? [];
/** The library does not know what aliases stood for. */
const isFixed = ({ provider, model }: { provider: string; model: string }): boolean =>
  !BUILT_IN.aliases.some((alias) => alias.provider === provider && alias.name === model);
const pairs = catalogue.flatMap((provider) =>
  provider.models
    .map((model) => ({ provider: provider.id, model: model.id }))
    .filter(({ model }) => calcPrice({}, model, { providerId: provider.id }) !== null)
    .filter(isFixed),
);
/** Pairs whose price depends on the date, the hour or the size of the context. */
const conditional = catalogue.flatMap((provider) =>
  provider.models
    .filter(
      (model) =>
        Array.isArray(model.prices) || Object.values(model.prices).some((p) => typeof p === 'object'),
    )
    .map((model) => ({ provider: provider.id, model: model.id }))
    .filter(isFixed),
);

const pair = fc.oneof(fc.constantFrom(...pairs), fc.constantFrom(...conditional));
const tokens = fc.oneof(fc.constant(0), fc.nat(3000), fc.nat(1_000_000), fc.nat(1_000_000_000));
/** Around the tiers of the catalogue. */
const fresh = fc.oneof(
  tokens,
  fc.constantFrom(127_999, 128_000, 128_001, 199_999, 200_000, 200_001, 271_999, 272_000, 272_001, 512_001),
);
const buckets: fc.Arbitrary<UsageBuckets> = fc.record({
  fresh,
  cacheRead: tokens,
  cacheWrite5m: tokens,
  cacheWrite1h: tokens,
  output: tokens,
  reasoning: tokens,
});
const ts = fc.oneof(
  fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2027-06-01') }),
  fc.constantFrom('2025-06-10', '2026-03-13', '2026-08-21', '2027-01-01').map((day) => Date.parse(day)),
  fc.constantFrom('2025-06-10', '2026-03-13', '2026-08-21', '2027-01-01').map((day) => Date.parse(day) - 1),
  fc.constantFrom(0, 4e12),
);
const call: fc.Arbitrary<PriceableCall> = fc
  .tuple(pair, ts, buckets)
  .map(([names, at, counts]) => ({ ...names, ts: at, buckets: counts }));

const SCALE = 10n ** 30n;

/** A number's shortest decimal, times 10^30, exactly. */
function scaled(value: number): bigint {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(30 + Number(exponent) - fraction.length);
}

/** Second opinion on a price: the catalogue's entry, the tier by the total input, all in integers. */
function listedPrice(prices: ModelPrice, key: string, input: number): bigint | null {
  const value = prices[key];
  if (value === undefined) return null;
  if (typeof value === 'number') return scaled(value);
  let result = value.base;
  for (const tier of value.tiers) if (input > tier.start) result = tier.price;
  return scaled(result);
}

/** The unrounded cost in nano-dollars times 10^30; null where a bucket with tokens has no price. */
function oracle(at: PriceableCall): bigint | null {
  const entry = calcPrice({}, at.model ?? '', { providerId: at.provider ?? '', timestamp: new Date(at.ts) });
  if (entry === null) return null;
  if (Object.keys(entry.model_price).length === 0) return 0n;
  const b = at.buckets;
  const total = b.fresh + b.cacheRead + b.cacheWrite5m + b.cacheWrite1h;
  const of = (key: string) => listedPrice(entry.model_price, key, total);
  const input = of('input_mtok');
  if (input === null) return null;
  const write = of('cache_write_mtok') ?? input;
  const rates: [number, bigint | null][] = [
    [b.fresh, input],
    [b.cacheRead, of('cache_read_mtok') ?? input],
    [b.cacheWrite5m, write],
    [b.cacheWrite1h, of('cache_write_1h_mtok') ?? (entry.model.id.includes('claude') ? 2n * input : write)],
    [b.output, of('output_mtok')],
    [b.reasoning, of('output_reasoning_mtok') ?? of('output_mtok')],
  ];
  const isAnswered = rates.some(([count]) => count > 0);
  let nano = isAnswered ? (of('requests_kcount') ?? 0n) * 1_000_000n : 0n;
  for (const [count, rate] of rates) {
    if (count === 0) continue;
    if (rate === null) return null;
    nano += BigInt(count) * rate * 1000n;
  }
  return nano;
}

describe('priceCall, over the whole catalogue', () => {
  test('agrees with an exact oracle to 1e-9 and half a nano-dollar per line', () => {
    fc.assert(
      fc.property(call, (at) => {
        const expected = oracle(at);
        const result = priceCall(at);
        expect(result.status).toBe(expected === null ? 'unpriced' : 'priced');
        if (result.status === 'unpriced' || expected === null) return;
        const off = BigInt(result.cost_nano) * SCALE - expected;
        const allowed = expected / 1_000_000_000n + (BigInt(result.lines.length) * SCALE) / 2n;
        expect(off <= allowed && -off <= allowed).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  }, 30_000);

  test('has lines that add up to the cost to the nano-dollar, each rounded half up', () => {
    fc.assert(
      fc.property(call, (at) => {
        const result = priceCall(at);
        if (result.status === 'unpriced') return;
        let sum = 0n;
        for (const line of result.lines) {
          expect(Number.isSafeInteger(line.amount_nano) && line.amount_nano >= 0).toBe(true);
          const exact = BigInt(line.tokens) * scaled(line.usdPerMillion) * 1000n;
          expect(BigInt(line.amount_nano)).toBe((2n * exact + SCALE) / (2n * SCALE));
          sum += BigInt(line.amount_nano);
        }
        expect(BigInt(result.cost_nano)).toBe(sum);
        expect(Number.isSafeInteger(result.cost_nano)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  }, 30_000);

  test('agrees with the library that publishes the catalogue', () => {
    fc.assert(
      fc.property(call, (at) => {
        const result = priceCall(at);
        const b = at.buckets;
        const input = b.fresh + b.cacheRead + b.cacheWrite5m + b.cacheWrite1h;
        const usage = {
          input_tokens: input,
          cache_read_tokens: b.cacheRead,
          cache_write_tokens: b.cacheWrite5m + b.cacheWrite1h,
          cache_write_1h_tokens: b.cacheWrite1h,
          output_tokens: b.output + b.reasoning,
          output_reasoning_tokens: b.reasoning,
        };
        // Where this package is deliberately stricter or fills a gap.
        if (result.status === 'unpriced' || result.lines.length === 0) return;
        if (result.lines.some((line) => line.rate === '2 x input_mtok')) return;
        const theirs = calcPrice(usage, at.model ?? '', {
          providerId: at.provider ?? '',
          timestamp: new Date(at.ts),
        });
        const off = Math.abs((theirs?.total_price ?? Number.NaN) * 1e9 - result.cost_nano);
        expect(off).toBeLessThanOrEqual(result.lines.length * 0.501 + result.cost_nano * 1e-9);
      }),
      { numRuns: 10_000 },
    );
  }, 30_000);

  test('costs no less when there are more tokens', () => {
    fc.assert(
      fc.property(
        call,
        fc.constantFrom('fresh', 'cacheRead', 'output', 'reasoning'),
        tokens,
        (at, key, more) => {
          const before = priceCall(at);
          const after = priceCall({ ...at, buckets: { ...at.buckets, [key]: at.buckets[key] + more } });
          if (before.status === 'unpriced' || after.status === 'unpriced') return;
          expect(after.cost_nano).toBeGreaterThanOrEqual(before.cost_nano);
        },
      ),
      { numRuns: 5000 },
    );
  }, 30_000);

  test('has no price for names that are not in the catalogue, above all not 0', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300 }),
        fc.string({ maxLength: 300 }),
        buckets,
        (provider, model, counts) => {
          const at = { provider: `no such ${provider}`, model, ts: 0, buckets: counts };
          expect(priceCall(at).status).toBe('unpriced');
          expect(priceCall({ ...at, provider: 'openai', model: `no such ${model}` }).status).toBe('unpriced');
        },
      ),
      { numRuns: 1000 },
    );
  });
});
