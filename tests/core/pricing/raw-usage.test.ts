import { describe, expect, test } from 'bun:test';
import { normalizeUsage, usageFromRaw } from '../../../src/core/pricing/index.ts';

/** [shape, raw usage, input, output, cached, written, reasoning] with input and output inclusive. */
const SHAPES: readonly [string, Record<string, unknown>, number, number, number, number, number][] = [
  [
    'OpenAI Chat Completions',
    {
      prompt_tokens: 1200,
      completion_tokens: 48,
      total_tokens: 1248,
      prompt_tokens_details: { cached_tokens: 1024 },
      completion_tokens_details: { reasoning_tokens: 16 },
    },
    1200,
    48,
    1024,
    0,
    16,
  ],
  [
    'OpenAI Responses',
    {
      input_tokens: 1200,
      output_tokens: 48,
      total_tokens: 1248,
      input_tokens_details: { cached_tokens: 1024, cache_write_tokens: 100 },
      output_tokens_details: { reasoning_tokens: 16 },
    },
    1200,
    48,
    1024,
    100,
    16,
  ],
  ['OpenAI Embeddings', { prompt_tokens: 8, total_tokens: 8 }, 8, 0, 0, 0, 0],
  [
    'xAI, reasoning beside the completion',
    {
      prompt_tokens: 32,
      completion_tokens: 9,
      total_tokens: 135,
      completion_tokens_details: { reasoning_tokens: 94 },
    },
    32,
    103,
    0,
    0,
    94,
  ],
  [
    'DeepSeek',
    { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, prompt_cache_hit_tokens: 64 },
    100,
    5,
    64,
    0,
    0,
  ],
  [
    'Anthropic',
    {
      input_tokens: 160,
      output_tokens: 77,
      cache_read_input_tokens: 2048,
      cache_creation_input_tokens: 256,
      output_tokens_details: { thinking_tokens: 20 },
    },
    2464,
    77,
    2048,
    256,
    20,
  ],
  [
    'Anthropic without cache',
    {
      input_tokens: 160,
      output_tokens: 77,
      cache_read_input_tokens: null,
      cache_creation_input_tokens: null,
    },
    160,
    77,
    0,
    0,
    0,
  ],
  [
    'Anthropic, writes by age alone',
    {
      input_tokens: 1,
      output_tokens: 1,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 7 },
    },
    13,
    1,
    0,
    12,
    0,
  ],
  [
    'Gemini',
    {
      promptTokenCount: 1000,
      cachedContentTokenCount: 600,
      candidatesTokenCount: 50,
      thoughtsTokenCount: 150,
      totalTokenCount: 1200,
    },
    1000,
    200,
    600,
    0,
    150,
  ],
  [
    'Gemini, thoughts already in the candidates',
    { promptTokenCount: 1000, candidatesTokenCount: 200, thoughtsTokenCount: 150, totalTokenCount: 1200 },
    1000,
    200,
    0,
    0,
    150,
  ],
  [
    'Bedrock Converse',
    { inputTokens: 160, outputTokens: 77, cacheReadInputTokens: 2048, cacheWriteInputTokens: 256 },
    2464,
    77,
    2048,
    256,
    0,
  ],
  [
    'Vercel AI SDK',
    { inputTokens: 1200, outputTokens: 48, cachedInputTokens: 1024, reasoningTokens: 16 },
    1200,
    48,
    1024,
    0,
    16,
  ],
];

describe('usageFromRaw', () => {
  test.each([...SHAPES])('reads %s', (_name, usage, input, output, cached, written, reasoning) => {
    const fields = usageFromRaw(usage);
    expect(fields).toEqual({
      input_tokens: input,
      output_tokens: output,
      cached_input_tokens: cached,
      cache_write_tokens: written,
      reasoning_tokens: reasoning,
    });
    if (fields === null) return;
    const { buckets } = normalizeUsage({ ...fields, usage });
    expect(buckets.fresh).toBe(input - cached - written);
    expect(buckets.cacheWrite5m + buckets.cacheWrite1h).toBe(written);
    expect(buckets.output + buckets.reasoning).toBe(output);
  });

  test('knows nothing of other objects', () => {
    expect(usageFromRaw(null)).toBeNull();
    expect(usageFromRaw({})).toBeNull();
    expect(usageFromRaw({ prompt_tokens: '12' })).toBeNull();
    expect(usageFromRaw({ tokens: 12 })).toBeNull();
  });

  test('takes hostile counts for none', () => {
    const usage = {
      prompt_tokens: -5,
      completion_tokens: Number.NaN,
      prompt_tokens_details: [1],
      completion_tokens_details: 'x',
      cached_tokens: 1e300,
    };
    expect(usageFromRaw(usage)).toEqual({
      input_tokens: 0,
      output_tokens: 0,
      cached_input_tokens: 1_000_000_000,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
    });
  });
});
