import { beforeAll, expect, test } from 'bun:test';
import Groq from 'groq-sdk';
import { wrapGroq } from '../../src/sdk/index.ts';
import { share } from './share.ts';
import { collect } from './world.ts';

const USAGE = {
  queue_time: 0.02,
  prompt_tokens: 1200,
  prompt_time: 0.01,
  completion_tokens: 48,
  completion_time: 0.1,
  total_tokens: 1248,
  total_time: 0.11,
  prompt_tokens_details: { cached_tokens: 1000 },
  completion_tokens_details: { reasoning_tokens: 16 },
};
const TOKENS = { input_tokens: 1200, output_tokens: 48, cached_input_tokens: 1000, reasoning_tokens: 16 };
/** openai/gpt-oss-20b, USD per million: input 0.075, cached 0.0375, output 0.30. */
const COST = (200 * 0.075 + 1000 * 0.0375 + 48 * 0.3) / 1e6;

const MODEL = 'openai/gpt-oss-20b';
const ASK = { model: MODEL, messages: [{ role: 'user' as const, content: 'Capital of France?' }] };
const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Paris' }, finish_reason: 'stop' }],
  usage: USAGE,
  x_groq: { id: 'req_1' },
};
const chunk = (delta: object, finish_reason: string | null = null, x_groq?: object) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, delta, finish_reason }],
  ...(x_groq && { x_groq }),
});
const CHUNKS = [
  chunk({ role: 'assistant', content: '' }, null, { id: 'req_1' }),
  chunk({ reasoning: 'The capital' }),
  chunk({ content: 'Paris' }),
  chunk({}, 'stop', { id: 'req_1', usage: USAGE }),
];

const shared = share();
let plain: Groq;
let groq: Groq;
beforeAll(() => {
  const options = { apiKey: 'x', baseURL: shared.provider.url, maxRetries: 0 };
  plain = new Groq(options);
  groq = wrapGroq(new Groq(options), shared.world.client);
});

test('a chat completion is recorded with its cost', async () => {
  shared.provider.will({ json: completion }, { json: completion });
  expect(await groq.chat.completions.create(ASK)).toEqual(await plain.chat.completions.create(ASK));
  const [event, ...others] = await shared.world.newEvents();
  expect(others).toEqual([]);
  expect(event).toMatchObject({ provider: 'groq', model: MODEL, finish_reason: 'stop', ...TOKENS });
  expect(event).toMatchObject({ status: 'success', stream: false, cost_status: 'priced' });
  expect(event?.cost_usd).toBeCloseTo(COST, 9);
});

test('a stream reports its usage by itself, and the request stays as it is', async () => {
  const reply = { events: [...CHUNKS, '[DONE]'] };
  shared.provider.will(reply, reply);
  const ask = { ...ASK, stream: true as const };
  const got = await collect(await groq.chat.completions.create(ask));
  expect(got).toEqual(await collect(await plain.chat.completions.create(ask)));
  expect(shared.provider.seen[0]?.body).toEqual(shared.provider.seen[1]?.body ?? {});
  const [event] = await shared.world.newEvents();
  expect(event).toMatchObject({ stream: true, status: 'success', finish_reason: 'stop', ...TOKENS });
  expect(event?.cost_usd).toBeCloseTo(COST, 9);
  expect(event?.ttft_ms).toBeGreaterThan(0);
  expect(shared.world.problems).toEqual([]);
});

test('a transcription is priced by its seconds', async () => {
  const usage = { type: 'duration', seconds: 3600 };
  shared.provider.will({ json: { text: 'Paris', usage, x_groq: { id: 'req_1' } } });
  const file = new File([new Uint8Array(4)], 'voice.wav', { type: 'audio/wav' });
  await groq.audio.transcriptions.create({ model: 'whisper-large-v3', file });
  // 0.111 USD an hour
  expect(await shared.world.newEvents()).toMatchObject([{ operation: 'transcription', cost_usd: 0.111 }]);
});

test('errors stay the client’s own, and are classified; an abandoned stream is cancelled', async () => {
  shared.provider.will({
    json: { error: { message: 'slow down', code: 'rate_limit_exceeded' } },
    status: 429,
  });
  const error = await groq.chat.completions.create(ASK).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Groq.RateLimitError);
  shared.provider.will({ events: CHUNKS.slice(0, 2), stall: true });
  for await (const _ of await groq.chat.completions.create({ ...ASK, stream: true })) break;
  const events = await shared.world.newEvents();
  expect(events.map((event) => [event.status, event.error_code])).toEqual([
    ['rate_limited', 'rate_limit_exceeded'],
    ['cancelled', 'stream_abandoned'],
  ]);
});
