import { describe, expect, test } from 'bun:test';
import type { Price, UsageBuckets } from '../../../src/core/pricing/index.ts';
import { createPricer } from '../../../src/core/pricing/index.ts';

const { priceCall } = createPricer();

const NOON = '2026-11-20T12:00:00Z';

function price(
  provider: string | null,
  model: string | null,
  tokens: Partial<UsageBuckets>,
  at = NOON,
): Price {
  const none = { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
  return priceCall({ provider, model, ts: Date.parse(at), buckets: { ...none, ...tokens } });
}

const cost = (...call: Parameters<typeof price>): number | string => {
  const result = price(...call);
  return result.status === 'unpriced' ? result.reason : result.cost_nano;
};

describe('priceCall, figures worked out by hand', () => {
  test('gpt-4o: $2.50 input, $1.25 cached, $10 output per million (openai.com/api/pricing)', () => {
    // 176 x 2.50 + 1024 x 1.25 + 48 x 10 = 440 + 1,280 + 480 = 2,200 millionths of a dollar
    const result = price('openai', 'gpt-4o', { fresh: 176, cacheRead: 1024, output: 32, reasoning: 16 });
    expect(result).toEqual({
      status: 'priced',
      cost_nano: 2_200_000,
      lines: [
        { bucket: 'fresh', tokens: 176, usdPerMillion: 2.5, amount_nano: 440_000, rate: 'input_mtok' },
        {
          bucket: 'cacheRead',
          tokens: 1024,
          usdPerMillion: 1.25,
          amount_nano: 1_280_000,
          rate: 'cache_read_mtok',
        },
        { bucket: 'output', tokens: 32, usdPerMillion: 10, amount_nano: 320_000, rate: 'output_mtok' },
        { bucket: 'reasoning', tokens: 16, usdPerMillion: 10, amount_nano: 160_000, rate: 'output_mtok' },
      ],
      unbilled: [],
      price: {
        source: 'catalogue',
        reference: 'genai-prices 0.1.8',
        provider: 'openai',
        model: 'gpt-4o',
        effective_from: null,
        effective_until: null,
        daily: null,
        context_above: null,
        service_tier: null,
        factor: 1,
        note: null,
        rates: expect.objectContaining({ fresh: { usd: 2.5, key: 'input_mtok' } }),
      },
    });
  });

  test('Claude Sonnet 4: $3, read $0.30, write $3.75 and $6, output $15 (Anthropic, Pricing)', () => {
    const model = 'claude-sonnet-4-20250514';
    // 160 x 3 + 2048 x 0.30 + 256 x 3.75 + 77 x 15 = 480 + 614.4 + 960 + 1,155 = 3,209.4 millionths
    expect(cost('anthropic', model, { fresh: 160, cacheRead: 2048, cacheWrite5m: 256, output: 77 })).toBe(
      3_209_400,
    );
    // 56 x 3.75 + 200 x 6 = 210 + 1,200
    expect(cost('anthropic', model, { cacheWrite5m: 56, cacheWrite1h: 200 })).toBe(1_410_000);
  });

  test('text-embedding-3-small: $0.02 per million, so 20 nano-dollars per token', () => {
    expect(cost('openai', 'text-embedding-3-small', { fresh: 7 })).toBe(140);
  });

  test('rounds each line half up to a nano-dollar', () => {
    // gemini-1.5-flash-8b: $0.0375 per million is 37.5 nano-dollars per token, a cached one 10.
    expect(cost('google', 'gemini-flash-1.5-8b', { fresh: 1 })).toBe(38);
    expect(cost('google', 'gemini-flash-1.5-8b', { fresh: 2 })).toBe(75);
    expect(cost('google', 'gemini-flash-1.5-8b', { fresh: 1, cacheRead: 1, output: 1 })).toBe(38 + 10 + 150);
  });

  test('adds the fee per request that Perplexity takes, once per answered call', () => {
    // sonar: $1 in, $1 out per million, catalogue's fee $12 per 1,000 requests
    expect(cost('perplexity', 'sonar', { fresh: 1000, output: 500 })).toBe(1_500_000 + 12_000_000);
    expect(cost('perplexity', 'sonar', {})).toBe(0);
  });
});

describe('priceCall, conditions', () => {
  test('a context above the tier sets the price of the whole call', () => {
    // gemini-2.5-pro: $1.25 / $10 up to 200,000 input tokens, $2.50 / $15 above (ai.google.dev, Pricing)
    const at = cost('google', 'gemini-2.5-pro', { fresh: 200_000, output: 1000 });
    const above = price('google', 'gemini-2.5-pro', { fresh: 100_000, cacheRead: 100_001, output: 1000 });
    expect(at).toBe(250_000_000 + 10_000_000);
    expect(above).toMatchObject({
      cost_nano: 250_000_000 + 25_000_250 + 15_000_000,
      price: { context_above: 200_000 },
    });
  });

  test('a price changes on its day and at no other moment', () => {
    // o3 fell from $10 / $40 to $2 / $8 on 10 June 2025
    const call = { fresh: 1000, output: 1000 };
    expect(cost('openai', 'o3', call, '2025-06-09T23:59:59.999Z')).toBe(50_000_000);
    expect(cost('openai', 'o3', call, '2025-06-10T00:00:00.000Z')).toBe(10_000_000);
    expect(cost('openai', 'o3', call, '1970-01-01T00:00:00Z')).toBe(50_000_000);
    expect(cost('openai', 'o3', call, '2199-12-31T23:59:59Z')).toBe(10_000_000);
    expect(price('openai', 'o3', call)).toMatchObject({ price: { effective_from: '2025-06-10' } });
  });

  test('a price may depend on the hour', () => {
    // deepseek-chat: half price from 16:30 to 00:30 UTC
    expect(cost('deepseek', 'deepseek-chat', { fresh: 1000 }, '2025-05-01T00:29:59.999Z')).toBe(135_000);
    expect(cost('deepseek', 'deepseek-chat', { fresh: 1000 }, '2025-05-01T00:30:00Z')).toBe(270_000);
    expect(cost('deepseek', 'deepseek-chat', { fresh: 1000 }, '2025-05-01T16:30:00Z')).toBe(135_000);
    expect(price('deepseek', 'deepseek-chat', { fresh: 1 }, '2025-05-01T12:00:00Z')).toMatchObject({
      price: { daily: '00:30:00Z/16:30:00Z' },
    });
  });

  test('a bucket without its own rate is billed by the rate it would have without a cache', () => {
    const line = (model: string, bucket: keyof UsageBuckets, provider = 'openai') => {
      const result = price(provider, model, { [bucket]: 1000 });
      return result.status === 'priced' ? result.lines.map((l) => [l.usdPerMillion, l.rate]) : result;
    };
    expect(line('gpt-4o-2024-05-13', 'cacheRead')).toEqual([[5, 'input_mtok']]);
    expect(line('gpt-4o', 'cacheWrite5m')).toEqual([[2.5, 'input_mtok']]);
    expect(line('gpt-4o', 'cacheWrite1h')).toEqual([[2.5, 'input_mtok']]);
    expect(line('gpt-4o', 'reasoning')).toEqual([[10, 'output_mtok']]);
    expect(line('claude-2', 'cacheWrite1h', 'anthropic')).toEqual([[16, '2 x input_mtok']]);
    expect(line('claude-sonnet-4-5', 'cacheWrite1h', 'google')).toEqual([[6, '2 x input_mtok']]);
    expect(line('sonar-deep-research', 'reasoning', 'perplexity')).toEqual([[3, 'output_reasoning_mtok']]);
  });
});

describe('priceCall, what is not known', () => {
  const unpriced: readonly [string | null, string | null, string][] = [
    ['acme', 'gpt-4o', 'unknown_provider'],
    ['acme-openai', 'gpt-4o', 'unknown_provider'],
    ['ollama', 'llama3', 'unknown_provider'],
    ['ibm.watsonx.ai', 'granite-3', 'unknown_provider'],
    ['__proto__', '__proto__', 'unknown_provider'],
    ['constructor', 'toString', 'unknown_provider'],
    [null, 'acme/claude-3-5-sonnet', 'unknown_provider'],
    ['openai', 'claude-3-5-sonnet', 'unknown_model'],
    ['openai', 'gpt-4o-of-mine', 'unknown_model'],
    ['azure', 'content-moderation-gpt-4', 'unknown_model'],
    ['openai', `gpt-4o${'x'.repeat(294)}`, 'unknown_model'],
    ['anthropic', '__proto__', 'unknown_model'],
    [null, 'llama-3.1-8b', 'unknown_model'],
    ['openai', null, 'no_model'],
    ['openai', '  ', 'no_model'],
    ['openai', 'whisper-1', 'no_rate'],
    ['mistral', 'mistral-ocr-latest', 'no_rate'],
  ];

  test.each([...unpriced])('%s / %s is unpriced: %s', (provider, model, reason) => {
    expect(price(provider, model, { fresh: 10 })).toMatchObject({ status: 'unpriced', reason });
    expect(price(provider, model, {})).toMatchObject({ status: 'unpriced', reason });
  });

  test('output of a model that is only priced for input is unpriced', () => {
    expect(price('openai', 'text-embedding-3-small', { fresh: 10, output: 1 })).toMatchObject({
      reason: 'no_rate',
      lacks: { bucket: 'output', price: { model: 'text-embedding-3-small' } },
    });
  });

  test('a model that is free costs 0 and says so', () => {
    expect(price('openrouter', 'deepseek/deepseek-r1:free', { fresh: 10 })).toMatchObject({
      status: 'priced',
      cost_nano: 0,
      lines: [{ bucket: 'fresh', tokens: 10, usdPerMillion: 0, amount_nano: 0, rate: 'free' }],
    });
    expect(cost('openai', 'omni-moderation-latest', { fresh: 10 })).toBe(0);
  });
});

describe('priceCall, names', () => {
  const known: readonly [string | null, string, string][] = [
    ['openai', 'gpt-4o-2024-08-06', 'openai/gpt-4o'],
    ['openai', 'gpt-4o-2024-05-13', 'openai/gpt-4o-2024-05-13'],
    [' OpenAI ', ' GPT-4o ', 'openai/gpt-4o'],
    ['openai.responses', 'gpt-4o', 'openai/gpt-4o'],
    ['openai', 'openai/gpt-4o', 'openai/gpt-4o'],
    ['azure', 'gpt-4o', 'azure/gpt-4o'],
    ['az.ai.openai', 'gpt-4o', 'azure/gpt-4o'],
    ['azure.ai.openai', 'gpt-4o', 'azure/gpt-4o'],
    ['azure.ai.inference', 'gpt-4o', 'azure/gpt-4o'],
    ['azure-openai.chat', 'gpt-4o', 'azure/gpt-4o'],
    ['Anthropic', 'claude-sonnet-4-20250514', 'anthropic/claude-sonnet-4-0'],
    ['anthropic.messages', 'claude-3-5-sonnet-latest', 'anthropic/claude-3-5-sonnet'],
    ['google', 'models/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['google-genai', 'gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['google.generative-ai', 'gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['gcp.gemini', 'gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['gcp.gen_ai', 'gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['gcp.vertex_ai', 'publishers/google/models/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['vertex_ai', 'claude-3-5-sonnet@20241022', 'google/claude-3-5-sonnet'],
    ['bedrock', 'amazon.nova-lite-v1:0', 'aws/amazon.nova-lite-v1:0'],
    ['aws.bedrock', 'amazon.nova-lite-v1:0', 'aws/amazon.nova-lite-v1:0'],
    ['amazon-bedrock', 'amazon.nova-lite-v1:0', 'aws/amazon.nova-lite-v1:0'],
    ['aws.bedrock', 'titan-embed-text-v2:0', 'aws/amazon.titan-embed-text-v2:0'],
    ['bedrock', 'amazon.titan-embed-text-v1', 'aws/amazon.titan-embed-text-v1'],
    ['aws.bedrock', 'nova-lite-v1:0', 'aws/amazon.nova-lite-v1:0'],
    ['aws.bedrock', 'llama3-3-70b-instruct-v1:0', 'aws/meta.llama3-3-70b-instruct-v1:0'],
    ['mistral_ai', 'mistral-large-2411', 'mistral/mistral-large'],
    ['mistral_ai', 'mistral-large-latest', 'mistral/mistral-large-2512'],
    ['x_ai', 'grok-3', 'x-ai/grok-3'],
    ['moonshot_ai', 'kimi-k2-0905-preview', 'moonshotai/kimi-k2-0905-preview'],
    ['openai.transcription', 'gpt-4o-transcribe', 'openai/gpt-4o-transcribe'],
    ['litellm_proxy', 'openai/gpt-4o', 'openai/gpt-4o'],
    ['xai', 'grok-3', 'x-ai/grok-3'],
    ['deepseek', 'deepseek-v4-flash', 'deepseek/deepseek-v4-flash'],
    ['openrouter', 'openai/gpt-4o', 'openrouter/openai/gpt-4o'],
    ['github_copilot', 'gpt-4o', 'github-copilot/gpt-4o'],
    ['litellm', 'bedrock/amazon.nova-lite-v1:0', 'aws/amazon.nova-lite-v1:0'],
    [null, 'gpt-4o', 'openai/gpt-4o'],
    [null, 'claude-3-5-sonnet-latest', 'anthropic/claude-3-5-sonnet'],
    [null, 'openai/gpt-4o', 'openai/gpt-4o'],
    ['', 'gemini-2.5-pro', 'google/gemini-2.5-pro'],
  ];

  test.each([...known])('%s / %s is priced as %s', (provider, model, expected) => {
    const result = price(provider, model, { fresh: 1 });
    expect(
      result.status === 'unpriced' ? result.reason : `${result.price.provider}/${result.price.model}`,
    ).toBe(expected);
  });

  test('one pair of names is never taken for another that reads alike', () => {
    expect(cost('openai', 'gpt-4o', { fresh: 1 })).toBe(2500);
    expect(cost('openaig', 'pt-4o', { fresh: 1 })).toBe('unknown_provider');
    expect(cost(null, 'openaigpt-4o', { fresh: 1 })).toBe('unknown_model');
  });
});
