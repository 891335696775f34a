import { beforeAll, expect, test } from 'bun:test';
import { CohereClient, CohereClientV2, CohereError } from 'cohere-ai';
import { wrapCohere } from '../../src/sdk/index.ts';
import { share } from './share.ts';
import { collect } from './world.ts';

/** The models read more tokens than are billed. */
const USAGE = {
  billed_units: { input_tokens: 1200, output_tokens: 48 },
  tokens: { input_tokens: 1500, output_tokens: 60 },
  cached_tokens: 0,
};
const TOKENS = { input_tokens: 1200, output_tokens: 48 };
/** command-a, USD per million: input 2.50, output 10. */
const COST = (1200 * 2.5 + 48 * 10) / 1e6;

const MODEL = 'command-a-03-2025';
const ASK = { model: MODEL, messages: [{ role: 'user' as const, content: 'Capital of France?' }] };
const reply = (message: object, finish_reason = 'COMPLETE') => ({
  id: 'r1',
  finish_reason,
  message: { role: 'assistant', ...message },
  usage: USAGE,
});
const TEXT = { content: [{ type: 'text', text: 'Paris' }] };
const delta = (text: string) => ({
  type: 'content-delta',
  index: 0,
  delta: { message: { content: { text } } },
});
const EVENTS = [
  { type: 'message-start', id: 'r1', delta: { message: { role: 'assistant', content: [] } } },
  { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
  delta('Pa'),
  delta('ris'),
  { type: 'content-end', index: 0 },
  { type: 'message-end', id: 'r1', delta: { finish_reason: 'COMPLETE', usage: USAGE } },
];
const STREAM = { events: EVENTS, named: true };

const shared = share();
let plain: CohereClientV2;
let cohere: CohereClientV2;
beforeAll(() => {
  const options = { token: 'x', environment: shared.provider.url, maxRetries: 0 };
  plain = new CohereClientV2(options);
  cohere = wrapCohere(new CohereClientV2(options), shared.world.client);
});

test('a chat is recorded with its billed tokens and its cost', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } };
  const asks = { json: reply({ tool_calls: [call] }, 'TOOL_CALL') };
  shared.provider.will(asks, asks);
  expect(await cohere.chat(ASK)).toEqual(await plain.chat(ASK));
  const [event, ...others] = await shared.world.newEvents();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    provider: 'cohere',
    model: MODEL,
    status: 'success',
    finish_reason: 'TOOL_CALL',
    stream: false,
    metadata: { tool_calls: 1 },
    cost_status: 'priced',
    ...TOKENS,
  });
  expect(event?.cost_usd).toBeCloseTo(COST, 9);
});

test('the promise keeps its methods', async () => {
  shared.provider.will({ json: reply(TEXT) }, STREAM);
  const { data, rawResponse } = await cohere.chat(ASK).withRawResponse();
  expect([data.finishReason, rawResponse.status]).toEqual(['COMPLETE', 200]);
  const { data: stream } = await cohere.chatStream(ASK).withRawResponse();
  expect(await collect(stream)).toHaveLength(EVENTS.length);
  const events = await shared.world.newEvents();
  expect(events.map(({ status, input_tokens, stream }) => [status, input_tokens, stream])).toEqual([
    ['success', 1200, false],
    ['success', 1200, true],
  ]);
});

test('a stream is passed on unchanged, and recorded with its time to the first token', async () => {
  shared.provider.will(STREAM, STREAM);
  expect(await collect(await cohere.chatStream(ASK))).toEqual(await collect(await plain.chatStream(ASK)));
  const [event] = await shared.world.newEvents();
  expect(event).toMatchObject({ stream: true, status: 'success', finish_reason: 'COMPLETE', ...TOKENS });
  expect(event?.ttft_ms).toBeGreaterThan(0);
  expect(event?.cost_usd).toBeCloseTo(COST, 9);
});

test('a reply that fails on the server is an error', async () => {
  const end = { type: 'message-end', id: 'r1', delta: { finish_reason: 'ERROR', error: 'sorry' } };
  shared.provider.will({ events: [EVENTS[0], end], named: true });
  await collect(await cohere.chatStream(ASK));
  expect(await shared.world.newEvents()).toMatchObject([{ status: 'error', error_code: 'ERROR' }]);
});

test('embeddings are priced by their tokens; without a price, searches have an unknown cost', async () => {
  const billed = (units: object) => ({ api_version: { version: '2' }, billed_units: units });
  shared.provider.will(
    {
      json: {
        id: 'e1',
        embeddings: { float: [[1, 0.5]] },
        texts: ['a'],
        meta: billed({ input_tokens: 2000 }),
      },
    },
    { json: { id: 'r1', results: [{ index: 0, relevance_score: 1 }], meta: billed({ search_units: 1 }) } },
  );
  await cohere.embed({
    model: 'embed-v4.0',
    texts: ['a'],
    inputType: 'search_document',
    embeddingTypes: ['float'],
  });
  await cohere.rerank({ model: 'rerank-v3.5', query: 'Paris', documents: ['a'] });
  expect(await shared.world.newEvents()).toMatchObject([
    // 2,000 x 0.12 millionths
    { kind: 'embedding', operation: 'embeddings', input_tokens: 2000, cost_usd: 0.00024 },
    { operation: 'rerank', usage: { billed_units: { search_units: 1 } }, cost_usd: null },
  ]);
});

test('the client of both versions is watched in its version 2', async () => {
  const both = wrapCohere(
    new CohereClient({ token: 'x', environment: shared.provider.url }),
    shared.world.client,
  );
  shared.provider.will({ json: reply(TEXT) });
  await both.v2.chat(ASK);
  expect(await shared.world.newEvents()).toMatchObject([{ status: 'success', ...TOKENS }]);
});

test('errors stay the client’s own, and are classified', async () => {
  shared.provider.will({ json: { message: 'slow down' }, status: 429 });
  const error = await cohere.chat(ASK, { maxRetries: 0 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CohereError);
  shared.provider.will({ hang: true });
  const aborted = { abortSignal: AbortSignal.timeout(20), maxRetries: 0 };
  await cohere.chat(ASK, aborted).catch(() => {});
  shared.provider.will({ events: EVENTS.slice(0, 3), named: true, stall: true });
  for await (const _ of await cohere.chatStream(ASK)) break;
  const events = await shared.world.newEvents();
  expect(events.map((event) => event.status)).toEqual(['rate_limited', 'cancelled', 'cancelled']);
});
