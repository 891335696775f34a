import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  BedrockRuntime,
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
  ThrottlingException,
} from '@aws-sdk/client-bedrock-runtime';
import { wrapBedrock } from '../../src/sdk/index.ts';
import { eventStreamMessage } from './event-stream.ts';
import { startGateway } from './http2-gateway.ts';
import { share } from './share.ts';
import { collect } from './world.ts';

const USAGE = {
  inputTokens: 400,
  outputTokens: 77,
  totalTokens: 2541,
  cacheReadInputTokens: 2000,
  cacheWriteInputTokens: 64,
  cacheDetails: [{ ttl: '1h', inputTokens: 64 }],
};
const TOKENS = { input_tokens: 2464, cached_input_tokens: 2000, cache_write_tokens: 64, output_tokens: 77 };
/** Claude Haiku 4.5 by a profile of the US, USD per million: input 1.10, cache read 0.11, 1-hour write 2.20, output 5.50. */
const COST = (400 * 1.1 + 2000 * 0.11 + 64 * 2.2 + 77 * 5.5) / 1e6;

const MODEL = 'us.anthropic.claude-haiku-4-5-20251001-v1:0';
const ASK = {
  modelId: MODEL,
  system: [{ text: 'Be brief.' }],
  messages: [{ role: 'user' as const, content: [{ text: 'Capital of France?' }] }],
};
const reply = (content: object[], more: object = {}) => ({
  output: { message: { role: 'assistant', content } },
  stopReason: 'end_turn',
  usage: USAGE,
  metrics: { latencyMs: 100 },
  ...more,
});

const event = (type: string, payload: unknown) =>
  eventStreamMessage(
    { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
    payload,
  );
const failure = eventStreamMessage(
  {
    ':exception-type': 'throttlingException',
    ':content-type': 'application/json',
    ':message-type': 'exception',
  },
  { message: 'slow down' },
);
const headers = { 'content-type': 'application/vnd.amazon.eventstream' };
const STREAM = [
  event('messageStart', { role: 'assistant' }),
  event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Paris' } }),
  event('contentBlockStop', { contentBlockIndex: 0 }),
  event('messageStop', { stopReason: 'end_turn' }),
  event('metadata', { usage: USAGE, metrics: { latencyMs: 100 } }),
];

const ANTHROPIC_USAGE = {
  input_tokens: 400,
  output_tokens: 77,
  cache_read_input_tokens: 2000,
  cache_creation_input_tokens: 64,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 64 },
};
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5-20251001',
  content: [{ type: 'text', text: 'Paris' }],
  stop_reason: 'end_turn',
  usage: ANTHROPIC_USAGE,
};
const chunk = (value: unknown) =>
  event('chunk', { bytes: Buffer.from(JSON.stringify(value)).toString('base64') });
const MESSAGES = [{ role: 'user', content: 'Capital of France?' }];
const invocation = (modelId: string, body: object) => ({
  modelId,
  contentType: 'application/json',
  body: JSON.stringify(body),
});

const streamOf = <T>(stream: AsyncIterable<T> | undefined): AsyncIterable<T> => {
  if (stream === undefined) throw new Error('no stream');
  return stream;
};

const shared = share();
let gateway: Awaited<ReturnType<typeof startGateway>>;
let plain: BedrockRuntimeClient;
let bedrock: BedrockRuntimeClient;
const options = () => ({
  region: 'us-east-1',
  endpoint: gateway.url,
  credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
  maxAttempts: 1,
});
beforeAll(async () => {
  gateway = await startGateway(() => shared.provider.url);
  plain = new BedrockRuntimeClient(options());
  bedrock = wrapBedrock(new BedrockRuntimeClient(options()), shared.world.client);
});
afterAll(() => {
  plain.destroy();
  bedrock.destroy();
  gateway.close();
});

test('Converse is recorded with both kinds of cached tokens, and its cost', async () => {
  const content = [{ toolUse: { toolUseId: 't1', name: 'weather', input: {} } }];
  shared.provider.will({ json: reply(content) }, { json: reply(content) });
  const { $metadata: _, ...wrapped } = await bedrock.send(new ConverseCommand(ASK));
  const { $metadata: __, ...bare } = await plain.send(new ConverseCommand(ASK));
  expect(wrapped).toEqual(bare);
  const [found, ...others] = await shared.world.newEvents();
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    provider: 'aws',
    model: MODEL,
    operation: 'converse',
    status: 'success',
    finish_reason: 'end_turn',
    stream: false,
    metadata: { tool_calls: 1 },
    cost_status: 'priced',
    ...TOKENS,
  });
  expect(found?.cost_usd).toBeCloseTo(COST, 9);
});

test('a stream is passed on unchanged, and recorded with its time to the first token', async () => {
  shared.provider.will({ parts: STREAM, headers }, { parts: STREAM, headers });
  const read = async (client: BedrockRuntimeClient) =>
    collect(streamOf((await client.send(new ConverseStreamCommand(ASK))).stream));
  const got = await read(bedrock);
  expect(got).toHaveLength(STREAM.length);
  expect(got).toEqual(await read(plain));
  const [found] = await shared.world.newEvents();
  expect(found).toMatchObject({ stream: true, status: 'success', finish_reason: 'end_turn', ...TOKENS });
  expect(found?.ttft_ms).toBeGreaterThan(0);
  expect(found?.cost_usd).toBeCloseTo(COST, 9);
});

test('InvokeModel of Anthropic’s models, complete and streamed', async () => {
  const body = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 100, messages: MESSAGES };
  const start = { ...message, content: [], stop_reason: null };
  const chunks = [
    { type: 'message_start', message: start },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Paris' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 77 } },
    { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 400 } },
  ].map(chunk);
  shared.provider.will({ json: message }, { parts: chunks, headers });
  const arn = `arn:aws:bedrock:us-east-1:1:inference-profile/${MODEL}`;
  const { body: bytes } = await bedrock.send(new InvokeModelCommand(invocation(arn, body)));
  expect(JSON.parse(bytes.transformToString())).toEqual(message);
  const streamed = new InvokeModelWithResponseStreamCommand(invocation(MODEL, body));
  expect(await collect(streamOf((await bedrock.send(streamed)).body))).toHaveLength(4);
  const events = await shared.world.newEvents();
  expect(events.map(({ stream }) => stream)).toEqual([false, true]);
  for (const found of events) {
    expect(found).toMatchObject({ model: MODEL, finish_reason: 'end_turn', ...TOKENS });
    expect(found.cost_usd).toBeCloseTo(COST, 9);
  }
  expect(events[0]?.prompt_hash).toBe(events[1]?.prompt_hash ?? '');
});

test('InvokeModel of other models is counted by its headers, and images by the piece', async () => {
  const counted = { 'x-amzn-bedrock-input-token-count': '2000', 'x-amzn-bedrock-output-token-count': '100' };
  const metrics = { inputTokenCount: 2000, outputTokenCount: 100 };
  shared.provider.will(
    { json: { output: 'Paris' }, headers: counted },
    { parts: [chunk({ text: 'Paris', 'amazon-bedrock-invocationMetrics': metrics })], headers },
    { json: { embedding: [1] }, headers: { 'x-amzn-bedrock-input-token-count': '2000' } },
    { json: { images: ['AA==', 'AA=='] } },
  );
  const nova = invocation('amazon.nova-pro-v1:0', { messages: MESSAGES });
  await bedrock.send(new InvokeModelCommand(nova));
  await collect(streamOf((await bedrock.send(new InvokeModelWithResponseStreamCommand(nova))).body));
  await bedrock.send(
    new InvokeModelCommand(invocation('amazon.titan-embed-text-v1', { inputText: 'Paris' })),
  );
  await bedrock.send(new InvokeModelCommand(invocation('amazon.nova-canvas-v1:0', {})));
  const events = await shared.world.newEvents();
  expect(events.map(({ kind, cost_usd }) => [kind, cost_usd])).toEqual([
    // 2,000 x 0.80 + 100 x 3.20 millionths
    ['llm', 0.00192],
    ['llm', 0.00192],
    // 2,000 x 0.10 millionths
    ['embedding', 0.0002],
    ['llm', null],
  ]);
});

test('a tier without a known price is an estimate', async () => {
  shared.provider.will({ json: reply([], { performanceConfig: { latency: 'optimized' } }) });
  await bedrock.send(new ConverseCommand(ASK));
  expect(await shared.world.newEvents()).toMatchObject([
    { metadata: { service_tier: 'latency-optimized' }, cost_status: 'estimated' },
  ]);
});

test('errors stay the client’s own, and are classified, in streams too', async () => {
  shared.provider.will(
    { json: { message: 'slow down' }, status: 429, headers: { 'x-amzn-errortype': 'ThrottlingException' } },
    { json: { message: 'no' }, status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' } },
    { parts: [...STREAM.slice(0, 2), failure], headers },
    { parts: STREAM.slice(0, 2), headers },
  );
  const thrown = await bedrock.send(new ConverseCommand(ASK)).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ThrottlingException);
  await bedrock.send(new ConverseCommand(ASK)).catch(() => {});
  const { stream } = await bedrock.send(new ConverseStreamCommand(ASK));
  const broken = await collect(streamOf(stream)).catch((error: unknown) => error);
  expect(broken).toBeInstanceOf(ThrottlingException);
  const { stream: left } = await bedrock.send(new ConverseStreamCommand(ASK));
  for await (const _ of streamOf(left)) break;
  const events = await shared.world.newEvents();
  expect(events.map((found) => [found.status, found.error_code])).toEqual([
    ['rate_limited', 'ThrottlingException'],
    ['error', 'AccessDeniedException'],
    ['rate_limited', 'ThrottlingException'],
    ['cancelled', 'stream_abandoned'],
  ]);
});

test('callbacks, the aggregated client and a second wrapping work; other commands are not calls', async () => {
  shared.provider.will({ json: reply([]) }, { json: reply([]) }, { json: { inputTokens: 7 } });
  wrapBedrock(bedrock, shared.world.client);
  await new Promise((done) => bedrock.send(new ConverseCommand(ASK), done));
  const all = wrapBedrock(new BedrockRuntime(options()), shared.world.client);
  await all.converse(ASK);
  await all.countTokens({ modelId: MODEL, input: { converse: { messages: ASK.messages } } });
  expect((await shared.world.newEvents()).map(({ operation }) => operation)).toEqual([
    'converse',
    'converse',
  ]);
});

test('what cannot be watched is returned as it is, and is reported', () => {
  const { problems, client } = shared.world;
  const add = (): never => {
    throw new Error('no');
  };
  const refusing = { middlewareStack: { add } };
  for (const given of [undefined, null, {}, 'a text', refusing]) {
    problems.length = 0;
    expect(wrapBedrock(given as object, client) as unknown).toBe(given);
    expect(problems.map(({ kind }) => kind)).toEqual(['configuration']);
  }
});
