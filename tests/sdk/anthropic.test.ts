import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import { wrapAnthropic } from '../../src/sdk/index.ts';
import { type MockProvider, startProvider } from './mock-provider.ts';
import { openSdkWorld, type SdkWorld } from './world.ts';

const USAGE = {
  input_tokens: 400,
  cache_creation_input_tokens: 64,
  cache_read_input_tokens: 2000,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 64 },
  output_tokens: 77,
};
const TOKENS = { input_tokens: 2464, cached_input_tokens: 2000, cache_write_tokens: 64, output_tokens: 77 };
/** claude-haiku-4-5, USD per million: fresh input 1, cache read 0.10, one-hour cache write 2, output 5. */
const COST = (400 * 1 + 2000 * 0.1 + 64 * 2 + 77 * 5) / 1e6;

const MODEL = 'claude-haiku-4-5';
const message = (more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: MODEL,
  content: [{ type: 'text', text: 'Paris' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: USAGE,
  ...more,
});
const EVENTS = [
  {
    type: 'message_start',
    message: message({ content: [], stop_reason: null, usage: { ...USAGE, output_tokens: 1 } }),
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Paris' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 77 },
  },
  { type: 'message_stop' },
];
const ASK = {
  model: MODEL,
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Capital of France?' }],
};

let provider: MockProvider;
let world: SdkWorld;
let plain: Anthropic;
let anthropic: Anthropic;
beforeAll(() => {
  provider = startProvider();
});
afterAll(() => provider.stop());
beforeEach(async () => {
  world = await openSdkWorld();
  const options = { apiKey: 'sk-test', baseURL: provider.url, maxRetries: 0 };
  plain = new Anthropic(options);
  anthropic = wrapAnthropic(new Anthropic(options), world.client);
});
afterEach(() => world.close());

const collect = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
};

test('a message is recorded with both kinds of cached tokens and its cost', async () => {
  provider.will({ json: message() }, { json: message() });
  expect(await anthropic.messages.create(ASK)).toEqual(await plain.messages.create(ASK));
  const [event] = await world.events();
  expect(event).toMatchObject({
    provider: 'anthropic',
    model: MODEL,
    status: 'success',
    finish_reason: 'end_turn',
    stream: false,
    ...TOKENS,
  });
  expect(event?.cost_usd).toBeCloseTo(COST, 9);
});

test('the caller of a stream gets the same events, and its complete usage is recorded', async () => {
  provider.will({ events: EVENTS, named: true }, { events: EVENTS, named: true });
  const got = await collect(await anthropic.messages.create({ ...ASK, stream: true }));
  expect(got).toEqual(await collect(await plain.messages.create({ ...ASK, stream: true })));
  const [event] = await world.events();
  expect(event).toMatchObject({ stream: true, finish_reason: 'end_turn', status: 'success', ...TOKENS });
  expect(event?.ttft_ms).toBeGreaterThan(0);
  expect(event?.cost_usd).toBeCloseTo(COST, 9);
});

test('the stream helper and beta messages are one call each, and tool uses are counted', async () => {
  const tool = { type: 'tool_use', id: 't1', name: 'weather', input: {} };
  provider.will(
    { events: EVENTS, named: true },
    { json: message({ content: [tool], stop_reason: 'tool_use' }) },
  );
  const helper = anthropic.messages.stream(ASK);
  expect(await helper.finalText()).toBe('Paris');
  await anthropic.beta.messages.create(ASK);
  const events = await world.events();
  expect(events.map((event) => [event.stream, event.finish_reason, event.metadata.tool_calls])).toEqual([
    [true, 'end_turn', undefined],
    [false, 'tool_use', 1],
  ]);
  expect(events[0]?.prompt_hash).toBe(events[1]?.prompt_hash ?? '');
});

test('counting tokens is not a call', async () => {
  provider.will({ json: { input_tokens: 7 } });
  const { messages, model } = ASK;
  expect((await anthropic.messages.countTokens({ messages, model })).input_tokens).toBe(7);
  expect(await world.events()).toEqual([]);
});

test('errors stay the client’s own, and are classified', async () => {
  const error = (type: string) => ({ type: 'error', error: { type, message: type } });
  provider.will(
    { json: error('rate_limit_error'), status: 429 },
    { json: error('overloaded_error'), status: 529 },
    { events: [EVENTS[0], error('overloaded_error')], named: true },
  );
  const first = await anthropic.messages.create(ASK).catch((thrown: unknown) => thrown);
  expect(first).toBeInstanceOf(Anthropic.RateLimitError);
  await anthropic.messages.create(ASK).catch(() => {});
  const broken = await anthropic.messages.create({ ...ASK, stream: true });
  await expect(collect(broken)).rejects.toBeInstanceOf(Anthropic.APIError);
  expect((await world.events()).map((event) => [event.status, event.error_code])).toEqual([
    ['rate_limited', 'rate_limit_error'],
    ['error', 'overloaded_error'],
    ['error', 'overloaded_error'],
  ]);
});

test('an aborted helper is a cancelled call with the tokens so far', async () => {
  provider.will({ events: EVENTS.slice(0, 4), named: true, stall: true });
  const helper = anthropic.messages.stream(ASK);
  helper.on('text', () => helper.abort());
  await helper.done().catch(() => {});
  expect(await world.events()).toMatchObject([
    {
      status: 'cancelled',
      error_code: 'aborted',
      input_tokens: 2464,
      output_tokens: 1,
      // The output went on until the provider noticed.
      cost_status: 'estimated',
    },
  ]);
});

test('the raw response stays raw, and is still recorded', async () => {
  provider.will({ json: message() });
  const response = await anthropic.messages.create(ASK).asResponse();
  expect(await response.text()).toBe(JSON.stringify(message()));
  expect(await world.events()).toMatchObject([{ status: 'success', ...TOKENS }]);
});
