import { beforeAll, expect, test } from 'bun:test';
import { Mistral } from '@mistralai/mistralai';
import { z } from 'zod';
import { wrapMistral } from '../../src/sdk/index.ts';
import { share } from './share.ts';
import { collect } from './world.ts';

const USAGE = { prompt_tokens: 1200, completion_tokens: 48, total_tokens: 1248 };
const TOKENS = { input_tokens: 1200, output_tokens: 48 };
/** mistral-small, USD per million: input 0.15, output 0.60. */
const COST = (1200 * 0.15 + 48 * 0.6) / 1e6;

const MODEL = 'mistral-small-latest';
const ASK = { model: MODEL, messages: [{ role: 'user' as const, content: 'Capital of France?' }] };
const completion = (message: object, finish_reason = 'stop') => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'mistral-small-2603',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage: USAGE,
});
const chunk = (content: unknown, finish_reason: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'mistral-small-2603',
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason }],
  ...(finish_reason !== null && { usage: USAGE }),
});
const CHUNKS = [chunk(''), chunk('Pa'), chunk([{ type: 'text', text: 'ris' }]), chunk('', 'stop')];
const STREAM = { events: [...CHUNKS, '[DONE]'] };

const shared = share();
let plain: Mistral;
let mistral: Mistral;
beforeAll(() => {
  const options = { apiKey: 'x', serverURL: shared.provider.url };
  plain = new Mistral(options);
  mistral = wrapMistral(new Mistral(options), shared.world.client);
});

test('a chat completion is recorded with its cost and the model that answered', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } };
  const reply = { json: completion({ content: '', tool_calls: [call] }, 'tool_calls') };
  shared.provider.will(reply, reply);
  expect(await mistral.chat.complete(ASK)).toEqual(await plain.chat.complete(ASK));
  const [event, ...others] = await shared.world.newEvents();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    provider: 'mistral',
    model: MODEL,
    status: 'success',
    finish_reason: 'tool_calls',
    stream: false,
    metadata: { response_model: 'mistral-small-2603', tool_calls: 1 },
    cost_status: 'priced',
    ...TOKENS,
  });
  expect(event?.cost_usd).toBeCloseTo(COST, 9);
});

test('a parsed reply is one call', async () => {
  shared.provider.will({ json: completion({ content: '{"city":"Paris"}' }) });
  const responseFormat = z.object({ city: z.string() });
  const reply = await mistral.chat.parse({ ...ASK, responseFormat });
  expect(reply.choices?.[0]?.message?.parsed).toEqual({ city: 'Paris' });
  expect(await shared.world.newEvents()).toMatchObject([{ status: 'success', ...TOKENS }]);
});

test('a stream is recorded however it is read', async () => {
  shared.provider.will(STREAM, STREAM, STREAM, STREAM, STREAM);
  const bare = await collect(await plain.chat.stream(ASK));
  expect(await collect(await mistral.chat.stream(ASK))).toEqual(bare);
  const reader = (await mistral.chat.stream(ASK)).getReader();
  for (const one of bare) expect((await reader.read()).value).toEqual(one);
  expect((await reader.read()).done).toBe(true);
  const [left, right] = (await mistral.chat.stream(ASK)).tee();
  expect([await collect(left), await collect(right)]).toEqual([bare, bare]);
  const piped: unknown[] = [];
  await (await mistral.chat.stream(ASK)).pipeTo(
    new WritableStream({ write: (one: unknown) => void piped.push(one) }),
  );
  expect(piped).toEqual(bare);
  const events = await shared.world.newEvents();
  expect(events).toHaveLength(4);
  for (const event of events) {
    expect(event).toMatchObject({ stream: true, status: 'success', finish_reason: 'stop', ...TOKENS });
    expect(event.ttft_ms).toBeGreaterThan(0);
    expect(event.cost_usd).toBeCloseTo(COST, 9);
  }
});

test('agents, fill-in-the-middle and embeddings', async () => {
  shared.provider.will({ json: completion({ content: 'Paris' }) }, STREAM, {
    json: {
      id: 'e1',
      object: 'list',
      model: 'mistral-embed',
      data: [{ object: 'embedding', index: 0, embedding: [1, 0.5] }],
      usage: { prompt_tokens: 2000, completion_tokens: 0, total_tokens: 2000 },
    },
  });
  await mistral.agents.complete({ agentId: 'ag_1', messages: ASK.messages });
  await collect(await mistral.fim.stream({ model: 'codestral-latest', prompt: 'def' }));
  await mistral.embeddings.create({ model: 'mistral-embed', inputs: ['a'] });
  const events = await shared.world.newEvents();
  expect(events.map(({ operation, kind, model }) => [operation, kind, model])).toEqual([
    ['agent', 'llm', 'mistral-small-2603'],
    ['fim', 'llm', 'codestral-latest'],
    ['embeddings', 'embedding', 'mistral-embed'],
  ]);
  expect(events[2]?.cost_usd).toBe(0.0002);
});

test('transcriptions are priced by their seconds, and documents by their pages', async () => {
  const usage = { prompt_tokens: 4, completion_tokens: 30, total_tokens: 34, prompt_audio_seconds: 3600 };
  const done = { type: 'transcription.done', model: 'v', text: 'Paris', usage, language: 'fr' };
  shared.provider.will(
    { json: { model: 'v', text: 'Paris', usage, language: 'fr' } },
    { events: [{ type: 'transcription.text.delta', text: 'Paris' }, done], named: true },
    { json: { pages: [], model: 'o', usage_info: { pages_processed: 10, doc_size_bytes: 2000 } } },
  );
  const file = new File([new Uint8Array(4)], 'voice.wav', { type: 'audio/wav' });
  await mistral.audio.transcriptions.complete({ model: 'voxtral-mini-latest', file });
  await collect(await mistral.audio.transcriptions.stream({ model: 'voxtral-mini-latest', file }));
  const document = { type: 'document_url' as const, documentUrl: 'https://example.com/a.pdf' };
  await mistral.ocr.process({ model: 'mistral-ocr-latest', document });
  const events = await shared.world.newEvents();
  expect(events.map(({ operation, stream }) => `${operation} ${stream}`)).toEqual([
    'transcription false',
    'transcription true',
    'ocr false',
  ]);
  // 0.18 USD an hour
  for (const event of events.slice(0, 2)) expect(event.cost_usd).toBeCloseTo(0.18, 9);
  expect(events[2]?.usage).toEqual({ pages_processed: 10, doc_size_bytes: 2000 });
});

test('errors stay the client’s own, and are classified', async () => {
  const body = { object: 'error', message: 'slow down', type: 'rate_limited', code: '1300' };
  const thrown = (client: Mistral) => client.chat.complete(ASK).catch((error: unknown) => error);
  shared.provider.will({ json: body, status: 429 }, { json: body, status: 429 });
  const [wrapped, bare] = [await thrown(mistral), await thrown(plain)];
  expect((wrapped as Error).message).toBe((bare as Error).message);
  shared.provider.will({ hang: true }, { hang: true });
  await mistral.chat.complete(ASK, { timeoutMs: 20 }).catch(() => {});
  const stop = new AbortController();
  const aborted = mistral.chat.complete(ASK, { signal: stop.signal }).catch(() => {});
  stop.abort();
  await aborted;
  shared.provider.reset();
  shared.provider.will({ events: CHUNKS.slice(0, 2), stall: true });
  for await (const _ of await mistral.chat.stream(ASK)) break;
  const events = await shared.world.newEvents();
  expect(events.map((event) => event.status)).toEqual(['rate_limited', 'timeout', 'cancelled', 'cancelled']);
});
