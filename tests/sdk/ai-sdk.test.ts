import { describe, expect, test } from 'bun:test';
import { createOpenAI as createOpenAI7 } from '@ai-sdk/openai';
import * as ai7 from 'ai';
import * as ai5 from 'ai-5';
import * as ai6 from 'ai-6';
import { createOpenAI as createOpenAI5 } from 'ai-sdk-openai-2';
import { createOpenAI as createOpenAI6 } from 'ai-sdk-openai-3';
import { z } from 'zod';
import { aiMiddleware } from '../../src/sdk/index.ts';
import { share } from './share.ts';

const usage = {
  prompt_tokens: 1200,
  completion_tokens: 48,
  total_tokens: 1248,
  prompt_tokens_details: { cached_tokens: 1024 },
  completion_tokens_details: { reasoning_tokens: 16 },
};
const TOKENS = { input_tokens: 1200, output_tokens: 48, cached_input_tokens: 1024, reasoning_tokens: 16 };
const COST = (176 * 2.5 + 1024 * 1.25 + 48 * 10) / 1e6;
const completion = (message: object, finish = 'stop') => ({
  id: 'c',
  created: 1,
  model: 'gpt-4o-2024-08-06',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage,
});
const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  created: 1,
  model: 'gpt-4o-2024-08-06',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const CHUNKS = [
  chunk({ role: 'assistant', content: 'Pa' }),
  chunk({ content: 'ris' }),
  chunk({}, 'stop'),
  { ...chunk({}), choices: [], usage },
  '[DONE]',
];

const shared = share();
const middleware = () => aiMiddleware(shared.world.client);
const settings = () => ({ apiKey: 'x', baseURL: shared.provider.url });

/** Each version with a model of its own: they differ in the form of usage and finish reasons. */
const versions = [
  {
    name: 'ai 5',
    ai: ai5 as unknown as typeof ai7,
    model: () =>
      ai5.wrapLanguageModel({ model: createOpenAI5(settings()).chat('gpt-4o'), middleware: middleware() }),
  },
  {
    name: 'ai 6',
    ai: ai6 as unknown as typeof ai7,
    model: () =>
      ai6.wrapLanguageModel({ model: createOpenAI6(settings()).chat('gpt-4o'), middleware: middleware() }),
  },
  {
    name: 'ai 7',
    ai: ai7,
    model: () =>
      ai7.wrapLanguageModel({ model: createOpenAI7(settings()).chat('gpt-4o'), middleware: middleware() }),
  },
];

describe.each(versions)('$name', ({ ai, model: make }) => {
  const model = () => make() as ReturnType<typeof ai7.wrapLanguageModel>;

  test('each step of an agent is a call of the model', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } };
    shared.provider.will(
      { json: completion({ content: null, tool_calls: [call] }, 'tool_calls') },
      { json: completion({ content: 'sunny' }) },
    );
    const weather = ai.tool({ inputSchema: z.object({ city: z.string() }), execute: async () => 'sun' });
    const { text } = await ai.generateText({
      model: model(),
      prompt: 'Weather?',
      tools: { weather },
      stopWhen: ai.stepCountIs(3),
    });
    expect(text).toBe('sunny');
    const events = await shared.world.newEvents();
    expect(events).toMatchObject([
      {
        provider: 'openai',
        model: 'gpt-4o',
        finish_reason: 'tool-calls',
        metadata: { tool_calls: 1 },
        ...TOKENS,
      },
      {
        provider: 'openai',
        model: 'gpt-4o',
        finish_reason: 'stop',
        status: 'success',
        stream: false,
        ...TOKENS,
      },
    ]);
    expect(events[0]?.cost_usd).toBeCloseTo(COST, 9);
  });

  test('a stream is passed on completely and recorded', async () => {
    shared.provider.will({ events: CHUNKS });
    const { textStream } = ai.streamText({ model: model(), prompt: 'Capital of France?' });
    let text = '';
    for await (const part of textStream) text += part;
    expect(text).toBe('Paris');
    const [event] = await shared.world.newEvents();
    expect(event).toMatchObject({ stream: true, status: 'success', finish_reason: 'stop', ...TOKENS });
    expect(event?.ttft_ms).toBeGreaterThan(0);
  });

  test('an aborted stream is a cancelled call', async () => {
    shared.provider.will({ events: CHUNKS.slice(0, 2), stall: true });
    const stop = new AbortController();
    const { textStream } = ai.streamText({ model: model(), prompt: 'Capital?', abortSignal: stop.signal });
    for await (const _ of textStream) stop.abort();
    expect(await shared.world.newEvents()).toMatchObject([{ stream: true, status: 'cancelled' }]);
  });

  test('every attempt is recorded, and the caller gets the error', async () => {
    const error = { json: { error: { message: 'slow down', code: 'rate_limit_exceeded' } }, status: 429 };
    shared.provider.will(error);
    const thrown = await ai
      .generateText({ model: model(), prompt: 'x', maxRetries: 0 })
      .catch((e: unknown) => e);
    expect((thrown as Error).message).toBe('slow down');
    expect(await shared.world.newEvents()).toMatchObject([
      { status: 'rate_limited', error_code: 'rate_limit_exceeded' },
    ]);
  });
});

const streamOf = (parts: readonly unknown[]): ReadableStream<unknown> =>
  new ReadableStream({
    start(to) {
      for (const part of parts) to.enqueue(part);
      to.close();
    },
  });

/** What the providers of version 5 return: `@ai-sdk/anthropic` 2.0.112, `google` 2, `amazon-bedrock` 3. */
const VERSION_5 = [
  {
    provider: 'anthropic.messages',
    model: 'claude-sonnet-4-5',
    usage: { inputTokens: 600, outputTokens: 77, totalTokens: 677, cachedInputTokens: 204 },
    providerMetadata: {
      anthropic: {
        usage: {
          input_tokens: 600,
          cache_read_input_tokens: 204,
          cache_creation_input_tokens: 100,
          output_tokens: 77,
        },
        cacheCreationInputTokens: 100,
      },
    },
    tokens: { input_tokens: 904, cached_input_tokens: 204, cache_write_tokens: 100, output_tokens: 77 },
    cost: (600 * 3 + 204 * 0.3 + 100 * 3.75 + 77 * 15) / 1e6,
  },
  {
    provider: 'google.generative-ai',
    model: 'gemini-2.5-flash',
    usage: { inputTokens: 1200, outputTokens: 60, totalTokens: 1300, reasoningTokens: 40 },
    providerMetadata: {
      google: {
        usageMetadata: { promptTokenCount: 1200, candidatesTokenCount: 60, thoughtsTokenCount: 40 },
      },
    },
    tokens: { provider: 'google', input_tokens: 1200, output_tokens: 100, reasoning_tokens: 40 },
    cost: (1200 * 0.3 + 100 * 2.5) / 1e6,
  },
  {
    provider: 'amazon-bedrock',
    model: 'anthropic.claude-sonnet-4-20250514-v1:0',
    usage: { inputTokens: 600, outputTokens: 77, totalTokens: 677, cachedInputTokens: 204 },
    providerMetadata: { bedrock: { usage: { cacheWriteInputTokens: 100 }, stopSequence: null } },
    tokens: { input_tokens: 904, cached_input_tokens: 204, cache_write_tokens: 100, output_tokens: 77 },
    cost: (600 * 3 + 204 * 0.3 + 100 * 3.75 + 77 * 15) / 1e6,
  },
];

test.each(VERSION_5)('the counts of version 5 are whole: $provider', async (given) => {
  const { usage, providerMetadata, tokens, cost } = given;
  const model = { provider: given.provider, modelId: given.model };
  const params = { prompt: 'x' };
  const result = { content: [], finishReason: 'stop', usage, providerMetadata };
  const { wrapGenerate, wrapStream } = middleware();
  await wrapGenerate({ doGenerate: async () => result, params, model });
  const parts = [{ type: 'finish', finishReason: 'stop', usage, providerMetadata }];
  const doStream = async () => ({ stream: streamOf(parts) });
  const { stream } = await wrapStream({ doStream, params, model });
  await Array.fromAsync(stream);
  const events = await shared.world.newEvents();
  expect(events).toMatchObject([tokens, { ...tokens, stream: true }]);
  for (const { cost_usd } of events) expect(cost_usd).toBeCloseTo(cost, 9);
});

test('on Azure the model is that of the reply, not the deployment', async () => {
  const model = { provider: 'azure.chat', modelId: 'my-deployment' };
  const usage = { inputTokens: 1200, outputTokens: 48, totalTokens: 1248 };
  const response = { modelId: 'gpt-4o-2024-08-06' };
  const params = { prompt: 'x' };
  const { wrapGenerate, wrapStream } = middleware();
  const doGenerate = async () => ({ content: [], finishReason: 'stop', usage, response });
  await wrapGenerate({ doGenerate, params, model });
  const parts = [
    { type: 'response-metadata', ...response },
    { type: 'finish', finishReason: 'stop', usage },
  ];
  const { stream } = await wrapStream({ doStream: async () => ({ stream: streamOf(parts) }), params, model });
  await Array.fromAsync(stream);
  const event = { provider: 'azure', model: 'gpt-4o-2024-08-06', cost_status: 'priced' };
  expect(await shared.world.newEvents()).toMatchObject([event, event]);
});

test('what OpenRouter charges is the cost', async () => {
  const model = { provider: 'openrouter.chat', modelId: 'openai/gpt-4o' };
  const usage = { inputTokens: 1200, outputTokens: 48, totalTokens: 1248 };
  const charged = { promptTokens: 1200, completionTokens: 48, totalTokens: 1248, cost: 0.0042 };
  const providerMetadata = { openrouter: { provider: 'Azure', usage: charged } };
  const doGenerate = async () => ({ content: [], finishReason: 'stop', usage, providerMetadata });
  await middleware().wrapGenerate({ doGenerate, params: { prompt: 'x' }, model });
  expect(await shared.world.newEvents()).toMatchObject([
    { provider: 'openrouter', input_tokens: 1200, cost_usd: 0.0042, cost_status: 'client' },
  ]);
});

test('embeddings are recorded, since version 6', async () => {
  const reply = {
    json: { data: [{ embedding: [1, 0.5], index: 0 }], usage: { prompt_tokens: 7, total_tokens: 7 } },
  };
  shared.provider.will(reply, reply);
  const name = 'text-embedding-3-small';
  const six = ai6.wrapEmbeddingModel({
    model: createOpenAI6(settings()).embedding(name),
    middleware: middleware(),
  });
  const seven = ai7.wrapEmbeddingModel({
    model: createOpenAI7(settings()).embedding(name),
    middleware: middleware(),
  });
  expect((await ai6.embed({ model: six, value: 'hello' })).embedding).toEqual([1, 0.5]);
  expect((await ai7.embed({ model: seven, value: 'hello' })).embedding).toEqual([1, 0.5]);
  const event = { kind: 'embedding', provider: 'openai', model: name, input_tokens: 7 };
  expect(await shared.world.newEvents()).toMatchObject([event, event]);
});
