import { afterAll, beforeAll, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket';
import { wrapRealtime } from '../../src/sdk/index.ts';
import { share } from './share.ts';

const USAGE = {
  total_tokens: 800,
  input_tokens: 600,
  output_tokens: 200,
  input_token_details: {
    text_tokens: 100,
    audio_tokens: 500,
    image_tokens: 0,
    cached_tokens: 320,
    cached_tokens_details: { text_tokens: 64, audio_tokens: 256, image_tokens: 0 },
  },
  output_token_details: { text_tokens: 50, audio_tokens: 150 },
};
/** gpt-realtime, USD per million: text 4, audio 32, cached 0.40, output 16, output audio 64. */
const COST = (36 * 4 + 244 * 32 + 320 * 0.4 + 50 * 16 + 150 * 64) / 1e6;

const response = (id: string, more: object = {}) => ({
  id,
  object: 'realtime.response',
  status: 'completed',
  output: [],
  usage: USAGE,
  ...more,
});
const SESSION = {
  type: 'session.created',
  session: {
    type: 'realtime',
    model: 'gpt-realtime',
    audio: { input: { transcription: { model: 'gpt-4o-mini-transcribe' } } },
  },
};
const said = {
  type: 'conversation.item.input_audio_transcription.completed',
  item_id: 'i1',
  content_index: 0,
  transcript: 'Capital of France?',
  usage: {
    type: 'tokens',
    input_tokens: 140,
    input_token_details: { text_tokens: 0, audio_tokens: 140 },
    output_tokens: 30,
    total_tokens: 170,
  },
};

const shared = share();
let server: ReturnType<typeof Bun.serve>;
let events: readonly unknown[] = [];
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, up) =>
      up.upgrade(request, { data: undefined, headers: { 'sec-websocket-protocol': 'realtime' } })
        ? undefined
        : new Response('', { status: 400 }),
    websocket: {
      message(socket) {
        for (const event of events) socket.send(JSON.stringify(event));
        socket.close();
      },
    },
  });
});
afterAll(() => server.stop(true));

/** Opens a session, lets the server send its events, and waits until it closes the socket. */
const run = async (sent: readonly unknown[], wrap: (session: OpenAIRealtimeWebSocket) => void) => {
  events = sent;
  const client = new OpenAI({ apiKey: 'x', baseURL: `http://127.0.0.1:${server.port}` });
  const onURL = (url: URL) => {
    url.protocol = 'ws';
  };
  const session = new OpenAIRealtimeWebSocket({ model: 'gpt-realtime', onURL }, client);
  const seen: string[] = [];
  session.on('event', ({ type }) => void seen.push(type));
  wrap(session);
  const { promise, resolve } = Promise.withResolvers<void>();
  session.socket.addEventListener('open', () => session.send({ type: 'response.create' }));
  session.socket.addEventListener('close', () => resolve());
  await promise;
  return seen;
};

const TURN = [
  SESSION,
  said,
  { type: 'response.created', response: response('r1', { status: 'in_progress', usage: null }) },
  { type: 'response.output_audio.delta', response_id: 'r1', delta: 'AA==' },
  { type: 'response.done', response: response('r1') },
];

test('each response of a session is a call with its audio and cached tokens', async () => {
  const seen = await run(TURN, (session) => {
    expect(wrapRealtime(wrapRealtime(session, shared.world.client), shared.world.client)).toBe(session);
  });
  expect(seen).toHaveLength(TURN.length);
  const [heard, answered, ...others] = await shared.world.newEvents();
  expect(others).toEqual([]);
  expect(heard).toMatchObject({ operation: 'transcription', model: 'gpt-4o-mini-transcribe' });
  // 140 x 3 + 30 x 5 millionths
  expect(heard?.cost_usd).toBeCloseTo((140 * 3 + 30 * 5) / 1e6, 9);
  expect(answered).toMatchObject({
    operation: 'realtime',
    provider: 'openai',
    model: 'gpt-realtime',
    stream: true,
    status: 'success',
    finish_reason: 'completed',
    input_tokens: 600,
    cached_input_tokens: 320,
    output_tokens: 200,
    cost_status: 'priced',
  });
  expect(answered?.cost_usd).toBeCloseTo(COST, 9);
  expect(answered?.ttft_ms).toBeGreaterThanOrEqual(0);
});

test('responses that fail, are interrupted, or are open when the session closes', async () => {
  const failed = {
    status: 'failed',
    status_details: { type: 'failed', error: { type: 'server_error', code: 'server_error' } },
  };
  const cancelled = { status: 'cancelled', status_details: { type: 'cancelled', reason: 'turn_detected' } };
  const sent = [
    SESSION,
    { type: 'response.created', response: response('r1') },
    { type: 'response.done', response: response('r1', failed) },
    { type: 'response.done', response: response('r2', cancelled) },
    { type: 'response.created', response: response('r3') },
  ];
  await run(sent, (session) => wrapRealtime(session, shared.world.client));
  const found = await shared.world.newEvents();
  expect(found.map(({ status, error_code, input_tokens }) => [status, error_code, input_tokens])).toEqual([
    ['error', 'server_error', 600],
    ['cancelled', 'turn_detected', 600],
    ['cancelled', 'closed', 0],
  ]);
});

test('the data channel of a WebRTC connection', async () => {
  const channel = new EventTarget();
  wrapRealtime(channel, shared.world.client, { model: 'gpt-realtime' });
  for (const data of ['no json', ...TURN.slice(2).map((event) => JSON.stringify(event))])
    channel.dispatchEvent(new MessageEvent('message', { data }));
  const [event, ...others] = await shared.world.newEvents();
  expect(others).toEqual([]);
  expect(event).toMatchObject({ model: 'gpt-realtime', status: 'success' });
  expect(event?.cost_usd).toBeCloseTo(COST, 9);
  expect(shared.world.problems).toEqual([]);
});

test('what cannot be watched is returned as it is, and is reported', () => {
  const { client, problems } = shared.world;
  for (const given of [undefined, null, {}, 'a text', Object.freeze({ on: () => {} })]) {
    problems.length = 0;
    expect(wrapRealtime(given as object, client) as unknown).toBe(given);
    expect(problems.map(({ kind }) => kind)).toEqual(['configuration']);
  }
});
