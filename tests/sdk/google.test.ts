import { beforeAll, expect, test } from 'bun:test';
import { type CallableTool, GoogleGenAI } from '@google/genai';
import { wrapGoogleGenAI } from '../../src/sdk/index.ts';
import { share } from './share.ts';
import { collect } from './world.ts';

const USAGE = {
  promptTokenCount: 1200,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 18,
  cachedContentTokenCount: 1000,
  totalTokenCount: 1248,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 1100 },
    { modality: 'AUDIO', tokenCount: 100 },
  ],
  cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 1000 }],
};
const TOKENS = { input_tokens: 1200, output_tokens: 48, cached_input_tokens: 1000, reasoning_tokens: 18 };
/** gemini-2.5-flash, USD per million: text 0.30, cached text 0.03, audio 1.00, output with thoughts 2.50. */
const COST = (100 * 0.3 + 1000 * 0.03 + 100 * 1 + 48 * 2.5) / 1e6;

const MODEL = 'gemini-2.5-flash';
const reply = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  usageMetadata: USAGE,
  modelVersion: MODEL,
  responseId: 'r1',
  ...more,
});
const chunk = (text: string, finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason, index: 0 }],
  usageMetadata: finishReason === undefined ? { promptTokenCount: 1200, totalTokenCount: 1200 } : USAGE,
  modelVersion: MODEL,
});
const CHUNKS = [chunk('Pa'), chunk('ris', 'STOP')];
const ASK = { model: MODEL, contents: 'Capital of France?' };

const shared = share();
let plain: GoogleGenAI;
let ai: GoogleGenAI;
let vertex: GoogleGenAI;
beforeAll(() => {
  const make = (vertexai: boolean) =>
    new GoogleGenAI({ vertexai, apiKey: 'x', httpOptions: { baseUrl: shared.provider.url } });
  plain = make(false);
  ai = wrapGoogleGenAI(make(false), shared.world.client);
  vertex = wrapGoogleGenAI(make(true), shared.world.client);
});

test('content is recorded with its thoughts, cached and audio tokens, and its cost', async () => {
  shared.provider.will({ json: reply([{ text: 'Paris' }]) }, { json: reply([{ text: 'Paris' }]) });
  const wrapped = await ai.models.generateContent({ ...ASK, model: `models/${MODEL}` });
  const bare = await plain.models.generateContent(ASK);
  expect(wrapped.text).toBe('Paris');
  expect(wrapped.candidates).toEqual(bare.candidates ?? []);
  const [event, ...others] = await shared.world.newEvents();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    provider: 'google',
    model: MODEL,
    kind: 'llm',
    operation: 'generate_content',
    status: 'success',
    finish_reason: 'STOP',
    stream: false,
    cost_status: 'priced',
    ...TOKENS,
  });
  expect(event?.cost_usd).toBeCloseTo(COST, 9);
  expect(event?.prompt_hash).toMatch(/^[0-9a-f]{64}$/);
});

test('a stream is passed on unchanged, and recorded with its time to the first token', async () => {
  shared.provider.will({ events: CHUNKS }, { events: CHUNKS });
  const wrapped = await collect(await ai.models.generateContentStream(ASK));
  const bare = await collect(await plain.models.generateContentStream(ASK));
  expect(wrapped.map(({ candidates }) => candidates)).toEqual(bare.map(({ candidates }) => candidates));
  const [event] = await shared.world.newEvents();
  expect(event).toMatchObject({ stream: true, status: 'success', finish_reason: 'STOP', ...TOKENS });
  expect(event?.ttft_ms).toBeGreaterThan(0);
  expect(event?.cost_usd).toBeCloseTo(COST, 9);
});

test('each message of a chat is a call, streamed or not', async () => {
  shared.provider.will({ json: reply([{ text: 'Paris' }]) }, { events: CHUNKS });
  const chat = ai.chats.create({ model: MODEL });
  await chat.sendMessage({ message: 'Capital of France?' });
  await collect(await chat.sendMessageStream({ message: 'And again?' }));
  expect(chat.getHistory()).toHaveLength(5);
  const events = await shared.world.newEvents();
  expect(events.map(({ stream, input_tokens, status }) => [stream, input_tokens, status])).toEqual([
    [false, 1200, 'success'],
    [true, 1200, 'success'],
  ]);
});

test('each round of automatic function calling is a call', async () => {
  const weather: CallableTool = {
    tool: async () => ({ functionDeclarations: [{ name: 'weather' }] }),
    callTool: async () => [{ functionResponse: { name: 'weather', response: { sky: 'clear' } } }],
  };
  const asks = reply([{ functionCall: { name: 'weather', args: {} } }]);
  const rounds = async (stream: boolean) => {
    shared.provider.reset();
    shared.provider.will(
      ...[asks, reply([{ text: 'clear' }])].map((one) => (stream ? { events: [one] } : { json: one })),
    );
    const ask = { ...ASK, config: { tools: [weather] } };
    if (stream) await collect(await ai.models.generateContentStream(ask));
    else expect((await ai.models.generateContent(ask)).text).toBe('clear');
    return (await shared.world.newEvents()).map((event) => [event.metadata.tool_calls, event.stream]);
  };
  expect(await rounds(false)).toEqual([
    [1, false],
    [undefined, false],
  ]);
  expect(await rounds(true)).toEqual([
    [1, true],
    [undefined, true],
  ]);
});

test('embeddings: the usage of the Gemini API, and the token counts of Vertex AI', async () => {
  const model = 'gemini-embedding-001';
  shared.provider.will({
    json: { embeddings: [{ values: [1, 0.5] }], usageMetadata: { promptTokenCount: 2000 } },
  });
  await ai.models.embedContent({ model, contents: ['a', 'b'] });
  const embeddings = { values: [1, 0.5], statistics: { token_count: 2000, truncated: false } };
  shared.provider.will({ json: { predictions: [{ embeddings }] } });
  await vertex.models.embedContent({ model, contents: 'a' });
  const events = await shared.world.newEvents();
  expect(events).toHaveLength(2);
  // 2,000 x 0.15 millionths
  for (const event of events)
    expect(event).toMatchObject({ kind: 'embedding', input_tokens: 2000, cost_usd: 0.0003 });
});

test('images are counted; without a price their cost is unknown', async () => {
  const image = { bytesBase64Encoded: 'AA==', mimeType: 'image/png' };
  shared.provider.will({ json: { predictions: [image, image] } });
  await vertex.models.generateImages({ model: 'imagen-4.0-generate-001', prompt: 'A cat' });
  const [event] = await shared.world.newEvents();
  expect(event).toMatchObject({ operation: 'image_generation', usage: { images: 2 }, cost_usd: null });
});

test('errors stay the client’s own, and are classified', async () => {
  const error = { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } };
  const ask = { ...ASK, config: { httpOptions: { retryOptions: { attempts: 1 } } } };
  const thrown = (given: GoogleGenAI) => given.models.generateContent(ask).catch((caught: unknown) => caught);
  shared.provider.will({ json: error, status: 429 }, { json: error, status: 429 });
  const [wrapped, bare] = [await thrown(ai), await thrown(plain)];
  expect((wrapped as Error).message).toBe((bare as Error).message);
  shared.provider.will({ hang: true });
  const aborted = { ...ask, config: { ...ask.config, abortSignal: AbortSignal.timeout(20) } };
  await ai.models.generateContent(aborted).catch(() => {});
  shared.provider.will({ hang: true });
  const late = { ...ask, config: { httpOptions: { ...ask.config.httpOptions, timeout: 20 } } };
  await ai.models.generateContent(late).catch(() => {});
  const events = await shared.world.newEvents();
  expect(events.map((event) => [event.status, event.error_code])).toEqual([
    ['rate_limited', 'RESOURCE_EXHAUSTED'],
    ['cancelled', 'AbortError'],
    ['timeout', 'TimeoutError'],
  ]);
});

test('a stream that its caller leaves is a cancelled call; one that breaks is an error', async () => {
  shared.provider.will({ events: CHUNKS.slice(0, 1), stall: true }, { events: [CHUNKS[0], '{"broken'] });
  for await (const _ of await ai.models.generateContentStream(ASK)) break;
  await expect(collect(await ai.models.generateContentStream(ASK))).rejects.toThrow();
  const events = await shared.world.newEvents();
  expect(events.map((event) => [event.status, event.error_code, event.stream])).toEqual([
    ['cancelled', 'stream_abandoned', true],
    ['error', events[1]?.error_code ?? null, true],
  ]);
});
