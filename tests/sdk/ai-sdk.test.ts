import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { createOpenAI } from '@ai-sdk/openai';
import {
  embed,
  generateText,
  stepCountIs,
  streamText,
  tool,
  wrapEmbeddingModel,
  wrapLanguageModel,
} from 'ai';
import { z } from 'zod';
import { aiMiddleware } from '../../src/sdk/index.ts';
import { type MockProvider, startProvider } from './mock-provider.ts';
import { openSdkWorld, type SdkWorld } from './world.ts';

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

let provider: MockProvider;
let world: SdkWorld;
beforeAll(() => {
  provider = startProvider();
});
afterAll(() => provider.stop());
beforeEach(async () => {
  world = await openSdkWorld();
});
afterEach(() => world.close());

const openai = () => createOpenAI({ apiKey: 'x', baseURL: provider.url });
const model = () =>
  wrapLanguageModel({ model: openai().chat('gpt-4o'), middleware: aiMiddleware(world.client) });

test('each step of an agent is a call of the model', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } };
  provider.will(
    { json: completion({ content: null, tool_calls: [call] }, 'tool_calls') },
    { json: completion({ content: 'sunny' }) },
  );
  const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: async () => 'sun' });
  const { text } = await generateText({
    model: model(),
    prompt: 'Weather?',
    tools: { weather },
    stopWhen: stepCountIs(3),
  });
  expect(text).toBe('sunny');
  const events = await world.events();
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
  provider.will({ events: CHUNKS });
  const { textStream } = streamText({ model: model(), prompt: 'Capital of France?' });
  let text = '';
  for await (const part of textStream) text += part;
  expect(text).toBe('Paris');
  const [event] = await world.events();
  expect(event).toMatchObject({ stream: true, status: 'success', finish_reason: 'stop', ...TOKENS });
  expect(event?.ttft_ms).toBeGreaterThan(0);
});

test('an aborted stream is a cancelled call', async () => {
  provider.will({ events: CHUNKS.slice(0, 2), stall: true });
  const stop = new AbortController();
  const { textStream } = streamText({ model: model(), prompt: 'Capital?', abortSignal: stop.signal });
  for await (const _ of textStream) stop.abort();
  expect(await world.events()).toMatchObject([{ stream: true, status: 'cancelled' }]);
});

test('every attempt is recorded, and the caller gets the error', async () => {
  const error = { json: { error: { message: 'slow down', code: 'rate_limit_exceeded' } }, status: 429 };
  provider.will(error);
  const thrown = await generateText({ model: model(), prompt: 'x', maxRetries: 0 }).catch((e: unknown) => e);
  expect((thrown as Error).message).toBe('slow down');
  expect(await world.events()).toMatchObject([{ status: 'rate_limited', error_code: 'rate_limit_exceeded' }]);
});

test('embeddings are recorded', async () => {
  provider.will({
    json: { data: [{ embedding: [1, 0.5], index: 0 }], usage: { prompt_tokens: 7, total_tokens: 7 } },
  });
  const embeddings = wrapEmbeddingModel({
    model: openai().embedding('text-embedding-3-small'),
    middleware: aiMiddleware(world.client),
  });
  const { embedding } = await embed({ model: embeddings, value: 'hello' });
  expect(embedding).toEqual([1, 0.5]);
  expect(await world.events()).toMatchObject([
    { kind: 'embedding', provider: 'openai', model: 'text-embedding-3-small', input_tokens: 7 },
  ]);
});
