import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createPricer, normalizeUsage, usageExtras, usageFromRaw } from '../../../src/core/pricing/index.ts';

const pricer = createPricer();
type Usage = Record<string, unknown>;

/** Prices a call of which only the provider's usage object is known. */
function priceOf(provider: string, model: string, usage: Usage) {
  const tokens = usageFromRaw(usage) ?? {
    input_tokens: 0,
    output_tokens: 0,
    cached_input_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
  };
  const { buckets } = normalizeUsage({ ...tokens, usage });
  const extras = usageExtras(usage, null);
  const ts = Date.parse('2026-11-20T12:00:00Z');
  return pricer.priceCall({ provider, model, ts, buckets, extras, answered: true });
}

const usd = (...call: Parameters<typeof priceOf>): string | number => {
  const price = priceOf(...call);
  return price.status === 'unpriced' ? price.reason : price.cost_nano / 1e9;
};

const gemini = (modality: string, tokenCount: number) => ({ modality, tokenCount });
const million = 1e6;

/** Provider, model, what is used, the usage object, and the amount in US dollars by the provider's price list. */
const TABLE: readonly (readonly [string, string, string, Usage, number])[] = [
  [
    'google',
    'gemini-2.5-flash',
    'audio input at $1.00, text at $0.30, output at $2.50',
    {
      promptTokenCount: 10_000,
      promptTokensDetails: [gemini('TEXT', 100), gemini('AUDIO', 9_900)],
      candidatesTokenCount: 28,
    },
    (100 * 0.3 + 9_900 * 1 + 28 * 2.5) / million,
  ],
  [
    'google',
    'gemini-2.5-flash',
    'cached audio at $0.10',
    {
      promptTokenCount: 5_000,
      promptTokensDetails: [gemini('AUDIO', 5_000)],
      cachedContentTokenCount: 4_000,
      cacheTokensDetails: [gemini('AUDIO', 4_000)],
      candidatesTokenCount: 10,
    },
    (1_000 * 1 + 4_000 * 0.1 + 10 * 2.5) / million,
  ],
  [
    'google',
    'gemini-2.5-flash',
    'images and video at the price of text',
    {
      promptTokenCount: 1_000,
      promptTokensDetails: [gemini('TEXT', 200), gemini('IMAGE', 500), gemini('VIDEO', 300)],
      candidatesTokenCount: 0,
    },
    (1_000 * 0.3) / million,
  ],
  [
    'google',
    'gemini-2.5-pro',
    'audio at the price of text, because none is listed',
    { promptTokenCount: 1_000, promptTokensDetails: [gemini('AUDIO', 1_000)], candidatesTokenCount: 0 },
    (1_000 * 1.25) / million,
  ],
  [
    'google',
    'gemini-2.5-flash-image',
    'an image of 1,290 tokens at $30',
    {
      promptTokenCount: 10,
      candidatesTokenCount: 1_290,
      candidatesTokensDetails: [gemini('IMAGE', 1_290)],
    },
    (10 * 0.3 + 1_290 * 30) / million,
  ],
  [
    'google',
    'gemini-2.5-flash-preview-tts',
    'speech at $10',
    { promptTokenCount: 50, candidatesTokenCount: 400, candidatesTokensDetails: [gemini('AUDIO', 400)] },
    (50 * 0.5 + 400 * 10) / million,
  ],
  [
    'openai',
    'gpt-4o-audio-preview',
    'audio at $40 and $80',
    {
      prompt_tokens: 1_000,
      prompt_tokens_details: { audio_tokens: 1_000, cached_tokens: 0 },
      completion_tokens: 500,
      completion_tokens_details: { audio_tokens: 500 },
    },
    0.08,
  ],
  [
    'openai',
    'gpt-audio',
    'text and audio on both sides: $2.50, $32, $10, $64',
    {
      prompt_tokens: 120,
      prompt_tokens_details: { audio_tokens: 100, text_tokens: 20 },
      completion_tokens: 60,
      completion_tokens_details: { audio_tokens: 50, text_tokens: 10 },
    },
    (20 * 2.5 + 100 * 32 + 10 * 10 + 50 * 64) / million,
  ],
  [
    'openai',
    'gpt-realtime',
    'cached audio at $0.40 beside audio at $32',
    {
      input_tokens: 300,
      input_token_details: {
        text_tokens: 100,
        audio_tokens: 200,
        cached_tokens: 150,
        cached_tokens_details: { text_tokens: 0, audio_tokens: 150 },
      },
      output_tokens: 40,
      output_token_details: { text_tokens: 10, audio_tokens: 30 },
    },
    (100 * 4 + 50 * 32 + 150 * 0.4 + 10 * 16 + 30 * 64) / million,
  ],
  [
    'openai',
    'gpt-image-1',
    'images in at $10, out at $40',
    {
      input_tokens: 350,
      input_tokens_details: { text_tokens: 50, image_tokens: 300 },
      output_tokens: 4_160,
      total_tokens: 4_510,
    },
    (50 * 5 + 300 * 10 + 4_160 * 40) / million,
  ],
  [
    'openai',
    'gpt-image-1.5',
    'image output at $32, text output at $10',
    {
      input_tokens: 50,
      input_tokens_details: { text_tokens: 50, image_tokens: 0 },
      output_tokens: 1_100,
      output_tokens_details: { text_tokens: 100, image_tokens: 1_000 },
    },
    (50 * 5 + 100 * 10 + 1_000 * 32) / million,
  ],
  [
    'openai',
    'gpt-4o-transcribe',
    'audio at $6, text out at $10',
    {
      type: 'tokens',
      input_tokens: 140,
      input_token_details: { text_tokens: 0, audio_tokens: 140 },
      output_tokens: 30,
      total_tokens: 170,
    },
    (140 * 6 + 30 * 10) / million,
  ],
  ['openai', 'whisper-1', '90 seconds at $0.006 a minute', { type: 'duration', seconds: 90 }, 0.009],
  [
    'openai',
    'gpt-4o-mini-tts',
    'speech at $12',
    { input_tokens: 20, output_tokens: 200 },
    (20 * 0.6 + 200 * 12) / million,
  ],
  ['mistral', 'mistral-ocr-2505', '12 pages at $1 per 1,000', { pages_processed: 12 }, 0.012],
  [
    'anthropic',
    'claude-opus-4-6',
    'fast mode at $30 and $150',
    { input_tokens: 1_000, output_tokens: 100, cache_read_input_tokens: 0, speed: 'fast' },
    0.045,
  ],
  [
    'anthropic',
    'claude-opus-4-8',
    'fast mode at $10 and $50',
    { input_tokens: 1_000, output_tokens: 100, cache_read_input_tokens: 0, speed: 'fast' },
    0.015,
  ],
  [
    'anthropic',
    'claude-opus-4-6',
    'inference in the US at 1.1 times',
    { input_tokens: 1_000, output_tokens: 100, cache_read_input_tokens: 0, inference_geo: 'us' },
    0.00825,
  ],
  [
    'anthropic',
    'claude-opus-4-6',
    'a batch in the US at half of 1.1 times, searches at full price',
    {
      input_tokens: 1_000,
      output_tokens: 100,
      cache_read_input_tokens: 0,
      inference_geo: 'us',
      service_tier: 'batch',
      server_tool_use: { web_search_requests: 2 },
    },
    0.004125 + 0.02,
  ],
  [
    'openai',
    'gpt-4o-mini',
    'priority at $0.25, $0.125 and $1',
    {
      prompt_tokens: 1_000,
      prompt_tokens_details: { cached_tokens: 400 },
      completion_tokens: 100,
      service_tier: 'priority',
    },
    (600 * 0.25 + 400 * 0.125 + 100 * 1) / million,
  ],
  [
    'openai',
    'gpt-5.5-2026-04-23',
    'priority at $12.50 and $75',
    { prompt_tokens: 1_000, completion_tokens: 100, service_tier: 'priority' },
    0.02,
  ],
];

describe('what providers bill beside text', () => {
  test.each(TABLE)('%s %s: %s', (provider, model, _, usage, expected) => {
    const price = priceOf(provider, model, usage);
    expect(price.status).toBe('priced');
    expect(usd(provider, model, usage)).toBeCloseTo(expected, 9);
  });
});

/** Usage with something that no rate answers: the amount is of the list price, and says that it is an estimate. */
const ESTIMATED: readonly (readonly [string, string, Usage, string])[] = [
  [
    'openai',
    'gpt-4o',
    { prompt_tokens: 10, prompt_tokens_details: { audio_tokens: 5 }, completion_tokens: 1 },
    'audio input',
  ],
  ['openai', 'gpt-4o', { prompt_tokens: 10, completion_tokens: 1, service_tier: 'scale' }, 'scale'],
  ['openai', 'gpt-5-nano', { prompt_tokens: 10, completion_tokens: 1, service_tier: 'priority' }, 'priority'],
  ['openai', 'gpt-4o', { prompt_tokens: 10, completion_tokens: 1, generated_images: 2 }, 'generated_images'],
  ['xai', 'grok-3', { prompt_tokens: 10, completion_tokens: 1, num_sources_used: 4 }, 'num_sources_used'],
  [
    'anthropic',
    'claude-sonnet-4-5',
    { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 0, speed: 'fast' },
    'fast',
  ],
  [
    'anthropic',
    'claude-opus-4-6',
    { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 0, inference_geo: 'mars' },
    'mars',
  ],
  [
    'google',
    'gemini-2.5-flash',
    { promptTokenCount: 10, candidatesTokenCount: 5, candidatesTokensDetails: [gemini('AUDIO', 5)] },
    'audio output',
  ],
  [
    'google',
    'gemini-2.5-flash',
    { promptTokenCount: 10, candidatesTokenCount: 5, promptTokensDetails: [gemini('SMELL', 5)] },
    'SMELL',
  ],
  [
    'google',
    'gemini-2.5-flash',
    { promptTokenCount: 10, candidatesTokenCount: 5, trafficType: 'PROVISIONED_THROUGHPUT' },
    'provisioned_throughput',
  ],
  // More audio than input contradicts the count.
  [
    'openai',
    'gpt-audio',
    { prompt_tokens: 10, prompt_tokens_details: { audio_tokens: 50 }, completion_tokens: 1 },
    'audio input',
  ],
];

test.each(ESTIMATED)('%s %s with %j is an estimate: %s', (provider, model, usage, why) => {
  const price = priceOf(provider, model, usage);
  expect(price.status).toBe('estimated');
  if (price.status === 'estimated') expect(`${price.price.note} ${price.unbilled.join()}`).toContain(why);
});

// Half of 10 × 0.30 and 5 × 2.50 dollars per million.
test.each<Usage>([{ trafficType: 'ON_DEMAND_FLEX' }, { serviceTier: 'flex' }])(
  'a call to Gemini that says %j costs half',
  (tier) => {
    const usage = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15, ...tier };
    expect(priceOf('google', 'gemini-2.5-flash', usage)).toMatchObject({
      status: 'priced',
      cost_nano: 7_750,
    });
  },
);

test.each(['ON_DEMAND', 'TRAFFIC_TYPE_UNSPECIFIED'])('%s is the usual tier', (trafficType) => {
  const usage = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15, trafficType };
  expect(priceOf('google', 'gemini-2.5-flash', usage)).toMatchObject({ status: 'priced', cost_nano: 15_500 });
});

test('a call that holds a count which nothing takes, or a modifier which no rate answers, is not priced', () => {
  const names = fc.constantFrom(
    'video_seconds',
    'music_tokens',
    'tool_requests',
    'input_characters',
    'search_units',
  );
  const unknown = fc.record({
    name: names,
    count: fc.integer({ min: 1, max: 1e6 }),
    depth: fc.integer({ min: 0, max: 2 }),
  });
  const known = fc.record({
    input: fc.integer({ min: 1, max: 1e6 }),
    output: fc.integer({ min: 0, max: 1e5 }),
  });
  fc.assert(
    fc.property(known, unknown, ({ input, output }, { name, count, depth }) => {
      const plain = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
      let extra: Usage = { [name]: count };
      for (let i = 0; i < depth; i++) extra = { [`level_${i}`]: extra };
      expect(priceOf('openai', 'gpt-4o', plain).status).toBe('priced');
      const price = priceOf('openai', 'gpt-4o', { ...plain, ...extra });
      expect(price.status).toBe('estimated');
      expect(priceOf('openai', 'gpt-4o', plain)).toMatchObject({
        cost_nano: 'cost_nano' in price ? price.cost_nano : null,
      });
    }),
  );
});
