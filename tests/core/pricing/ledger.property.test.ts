import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BUILT_IN } from '../../../src/core/pricing/catalogue.ts';
import type { PriceOverride } from '../../../src/core/pricing/contract.ts';
import { createPricer, normalizeUsage, usageExtras } from '../../../src/core/pricing/index.ts';

// From the usage that a provider sends to the cost, by prices that are made up with tiers and dates, against
// a calculation in plain decimals. The long form is LEDGER_RUNS=100000.
const RUNS = Number(process.env.LEDGER_RUNS ?? 4_000);

const T0 = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const cents = fc.integer({ min: 0, max: 100_000 }).map((n) => n / 1000);
const maybe = fc.option(cents, { nil: undefined });
const rates = fc.record({
  input: cents,
  output: cents,
  cacheRead: maybe,
  cacheWrite: maybe,
  cacheWrite1h: maybe,
  reasoning: maybe,
  perRequest: fc.option(
    fc.integer({ min: 0, max: 1000 }).map((n) => n / 10_000),
    { nil: undefined },
  ),
});
type Rates = { [K in keyof PriceOverride['rates']]?: number | undefined };
const defined = (of: Rates): Record<string, number> =>
  Object.fromEntries(Object.entries(of).filter((pair): pair is [string, number] => pair[1] !== undefined));

const count = fc.oneof(fc.constant(0), fc.nat(3_000), fc.nat(300_000));
const scenario = fc.record({
  early: rates,
  late: rates,
  tier: rates,
  above: fc.integer({ min: 1, max: 200_000 }),
  change: fc.integer({ min: -10, max: 10 }),
  at: fc.integer({ min: -12 * DAY, max: 12 * DAY }),
  fresh: count,
  read: count,
  write5m: count,
  write1h: count,
  output: count,
  reasoning: count,
  layout: fc.constantFrom('openai', 'anthropic', 'gemini', 'stated', 'bedrock'),
  model: fc.constantFrom('m-1', 'M-1', 'm-1-large', 'other'),
  batch: fc.boolean(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;

/** What a sender of each kind sends for the same usage; what it can't tell is 0 in `used`. */
function sent(s: Scenario) {
  const { fresh, read, output, reasoning } = s;
  const zero = { cached_input_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 };
  const tier = s.batch ? { service_tier: 'batch' } : {};
  const [w5, w1] = [s.write5m, s.write1h];
  if (s.layout === 'anthropic') {
    const usage = {
      input_tokens: fresh,
      output_tokens: output,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: w5 + w1,
      cache_creation: { ephemeral_5m_input_tokens: w5, ephemeral_1h_input_tokens: w1 },
      ...tier,
    };
    const fields = { ...zero, input_tokens: fresh, output_tokens: output };
    return { fields, usage, used: { fresh, read, w5, w1, output, reasoning: 0 } };
  }
  if (s.layout === 'gemini') {
    const usage = {
      promptTokenCount: fresh + read,
      candidatesTokenCount: output,
      cachedContentTokenCount: read,
      thoughtsTokenCount: reasoning,
      totalTokenCount: fresh + read + output + reasoning,
      ...tier,
    };
    const fields = { ...zero, input_tokens: fresh + read, output_tokens: output };
    return { fields, usage, used: { fresh, read, w5: 0, w1: 0, output, reasoning } };
  }
  if (s.layout === 'bedrock') {
    const usage = {
      inputTokens: fresh,
      outputTokens: output,
      cacheReadInputTokens: read,
      cacheWriteInputTokens: w5,
      ...tier,
    };
    const fields = { ...zero, input_tokens: fresh, output_tokens: output };
    return { fields, usage, used: { fresh, read, w5, w1: 0, output, reasoning: 0 } };
  }
  const stated = { input_tokens: fresh + read, output_tokens: output + reasoning };
  if (s.layout === 'openai') {
    const usage = {
      prompt_tokens: fresh + read,
      completion_tokens: output + reasoning,
      prompt_tokens_details: { cached_tokens: read },
      completion_tokens_details: { reasoning_tokens: reasoning },
      ...tier,
    };
    return { fields: { ...zero, ...stated }, usage, used: { fresh, read, w5: 0, w1: 0, output, reasoning } };
  }
  const fields = {
    input_tokens: fresh + read + w5,
    output_tokens: output + reasoning,
    cached_input_tokens: read,
    cache_write_tokens: w5,
    reasoning_tokens: reasoning,
  };
  return { fields, usage: s.batch ? tier : null, used: { fresh, read, w5, w1: 0, output, reasoning } };
}

/** USD in plain doubles, from the published meaning of the rates. */
function oracle(s: Scenario, used: ReturnType<typeof sent>['used']): number | 'unpriced' {
  if (!s.model.toLowerCase().startsWith('m-1')) return 'unpriced';
  const { fresh, read, w5, w1, output, reasoning } = used;
  const input = fresh + read + w5 + w1;
  const base = defined(s.at >= s.change * DAY ? s.late : s.early);
  const r = input > s.above ? { ...base, ...defined(s.tier) } : base;
  const inRate = r.input ?? 0;
  const write = r.cacheWrite ?? inRate;
  const factor = s.batch ? 0.5 : 1;
  const outRate = r.output ?? 0;
  const rateOf = [
    [fresh, inRate],
    [read, r.cacheRead ?? inRate],
    [w5, write],
    [w1, r.cacheWrite1h ?? write],
    [output, outRate],
    [reasoning, r.reasoning ?? outRate],
  ] as const;
  if (input + output + reasoning === 0) {
    if (rateOf.some(([, rate]) => rate > 0)) return 'unpriced';
    return r.perRequest ?? 0;
  }
  return (
    rateOf.reduce((sum, [tokens, rate]) => sum + (tokens * rate) / 1e6, 0) * factor + (r.perRequest ?? 0)
  );
}

test(`usage of every layout, by prices with tiers and dates, costs what an independent calculation says (${RUNS} runs)`, () => {
  fc.assert(
    fc.property(scenario, (s) => {
      const { fields, usage, used } = sent(s);
      const own = { provider: 'openai', match: 'prefix', model: 'm-1', serviceTier: null } as const;
      const tiers = [{ above: s.above, ...defined(s.tier) }];
      const at = T0 + s.change * DAY;
      const overrides: PriceOverride[] = [
        { ...own, id: 'a', rates: defined(s.early), tiers, effectiveFrom: null, effectiveUntil: at },
        { ...own, id: 'b', rates: defined(s.late), tiers, effectiveFrom: at, effectiveUntil: null },
      ];
      const { buckets } = normalizeUsage({ ...fields, usage });
      const result = createPricer(BUILT_IN, overrides).priceCall({
        provider: 'openai',
        model: s.model,
        ts: T0 + s.at,
        buckets,
        extras: usageExtras(usage, null),
        answered: true,
      });
      const expected = oracle(s, used);
      if (expected === 'unpriced' || result.status === 'unpriced') {
        expect(result.status).toBe('unpriced');
        expect(expected).toBe('unpriced');
        return;
      }
      // Half a nano-dollar of rounding for each line, and 1e-9 of the whole.
      const off = Math.abs(result.cost_nano / 1e9 - expected);
      expect(off).toBeLessThanOrEqual(expected * 1e-9 + result.lines.length * 0.51e-9);
      expect(result.lines.reduce((sum, line) => sum + line.amount_nano, 0)).toBe(result.cost_nano);
    }),
    { numRuns: RUNS },
  );
}, 300_000);
