import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SentUsage } from '../../../src/core/pricing/index.ts';
import { normalizeUsage } from '../../../src/core/pricing/index.ts';

const sent = (fields: Partial<SentUsage>): SentUsage => ({
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  usage: null,
  ...fields,
});

const anthropic = {
  input_tokens: 160,
  output_tokens: 77,
  cache_read_input_tokens: 2048,
  cache_creation_input_tokens: 256,
};

describe('normalizeUsage', () => {
  test('takes cached tokens and reasoning out of the counts that include them', () => {
    const { buckets, cacheMode, reasoningMode } = normalizeUsage(
      sent({ input_tokens: 1200, cached_input_tokens: 1024, output_tokens: 48, reasoning_tokens: 16 }),
    );
    expect(buckets).toEqual({
      fresh: 176,
      cacheRead: 1024,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 32,
      reasoning: 16,
    });
    expect([cacheMode, reasoningMode]).toEqual(['inclusive', 'inclusive']);
  });

  test('reads the three layouts of one Anthropic call alike', () => {
    const call = {
      fresh: 160,
      cacheRead: 2048,
      cacheWrite5m: 256,
      cacheWrite1h: 0,
      output: 77,
      reasoning: 0,
    };
    const parts = { cached_input_tokens: 2048, cache_write_tokens: 256, output_tokens: 77 };
    expect(normalizeUsage(sent({ ...parts, input_tokens: 2464 })).buckets).toEqual(call);
    expect(normalizeUsage(sent({ ...parts, input_tokens: 2464, usage: anthropic })).buckets).toEqual(call);
    expect(normalizeUsage(sent({ ...parts, input_tokens: 160 })).buckets).toEqual(call);
    expect(normalizeUsage(sent({ ...parts, input_tokens: 160, usage: anthropic })).buckets).toEqual(call);
    expect(normalizeUsage(sent({ input_tokens: 160, output_tokens: 77, usage: anthropic })).buckets).toEqual(
      call,
    );
  });

  test("believes Anthropic's own object where the cached tokens would fit into the input", () => {
    const usage = { input_tokens: 5000, output_tokens: 1, cache_read_input_tokens: 1000 };
    const counts = { input_tokens: 5000, cached_input_tokens: 1000 };
    const apart = normalizeUsage(sent({ ...counts, usage }));
    expect([apart.buckets.fresh, apart.cacheMode]).toEqual([5000, 'exclusive']);
    expect(apart.reason).toContain('raw usage');
    const summed = normalizeUsage(sent({ ...counts, input_tokens: 6000, usage }));
    expect([summed.buckets.fresh, summed.cacheMode]).toEqual([5000, 'inclusive']);
    const without = normalizeUsage(sent(counts));
    expect([without.buckets.fresh, without.cacheMode]).toEqual([4000, 'inclusive']);
  });

  test('tells 1-hour cache writes from 5-minute ones, and no more of them than were written', () => {
    const usage = {
      ...anthropic,
      cache_creation: { ephemeral_5m_input_tokens: 56, ephemeral_1h_input_tokens: 200 },
    };
    const of = (written: number) =>
      normalizeUsage(sent({ input_tokens: 160, cache_write_tokens: written, usage })).buckets;
    expect([of(256).cacheWrite5m, of(256).cacheWrite1h]).toEqual([56, 200]);
    expect([of(100).cacheWrite5m, of(100).cacheWrite1h]).toEqual([0, 100]);
  });

  test('adds reasoning that exceeds the output, or that the raw object counts beside it', () => {
    const exceeds = normalizeUsage(sent({ output_tokens: 1, reasoning_tokens: 386 }));
    expect([exceeds.buckets.output, exceeds.buckets.reasoning, exceeds.reasoningMode]).toEqual([
      1,
      386,
      'exclusive',
    ]);
    // xAI: the total is prompt + completion + reasoning.
    const usage = {
      prompt_tokens: 12,
      completion_tokens: 500,
      total_tokens: 898,
      completion_tokens_details: { reasoning_tokens: 386 },
    };
    const grok = normalizeUsage(sent({ input_tokens: 12, output_tokens: 500, reasoning_tokens: 386, usage }));
    expect([grok.buckets.output, grok.reasoningMode]).toEqual([500, 'exclusive']);
    const summed = normalizeUsage(
      sent({ input_tokens: 12, output_tokens: 886, reasoning_tokens: 386, usage }),
    );
    expect([summed.buckets.output, summed.reasoningMode]).toEqual([500, 'inclusive']);
  });

  const count = fc.oneof(fc.nat(5000), fc.nat(1_000_000_000));
  const anyUsage = fc.option(
    fc.oneof(
      fc.dictionary(fc.string(), fc.anything()),
      fc.record(
        {
          input_tokens: fc.anything(),
          prompt_tokens: fc.anything(),
          output_tokens: count,
          cache_read_input_tokens: fc.oneof(count, fc.anything()),
          cache_creation_input_tokens: count,
          cache_creation: fc.oneof(fc.record({ ephemeral_1h_input_tokens: fc.integer() }), fc.anything()),
          input_tokens_details: fc.anything(),
        },
        { requiredKeys: [] },
      ),
    ),
  );

  test('never gives a negative or fractional bucket, whatever is sent', () => {
    const anyNumber = fc.oneof(count, fc.double());
    fc.assert(
      fc.property(anyNumber, anyNumber, anyNumber, anyNumber, anyNumber, anyUsage, (a, b, c, d, e, usage) => {
        const { buckets } = normalizeUsage({
          input_tokens: a,
          output_tokens: b,
          cached_input_tokens: c,
          cache_write_tokens: d,
          reasoning_tokens: e,
          usage,
        });
        for (const tokens of Object.values(buckets)) {
          expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('gives buckets that do not overlap: they add up to the counts in the mode it names', () => {
    fc.assert(
      fc.property(count, count, count, count, count, (input, output, cached, written, reasoning) => {
        const { buckets, cacheMode, reasoningMode } = normalizeUsage(
          sent({
            input_tokens: input,
            output_tokens: output,
            cached_input_tokens: cached,
            cache_write_tokens: written,
            reasoning_tokens: reasoning,
          }),
        );
        const inputSum = buckets.fresh + buckets.cacheRead + buckets.cacheWrite5m + buckets.cacheWrite1h;
        expect(cacheMode).toBe(cached + written > input ? 'exclusive' : 'inclusive');
        expect(inputSum).toBe(cacheMode === 'inclusive' ? input : input + cached + written);
        expect(reasoningMode).toBe(reasoning > output ? 'exclusive' : 'inclusive');
        expect(buckets.output + buckets.reasoning).toBe(
          reasoningMode === 'inclusive' ? output : output + reasoning,
        );
      }),
      { numRuns: 2000 },
    );
  });
});
