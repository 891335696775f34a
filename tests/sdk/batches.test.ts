import { beforeAll, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import Groq from 'groq-sdk';
import OpenAI from 'openai';
import { wrapAnthropic, wrapGroq, wrapOpenAI } from '../../src/sdk/index.ts';
import { share } from './share.ts';
import { collect } from './world.ts';

const shared = share();
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(() => {
  const options = { apiKey: 'x', baseURL: shared.provider.url, maxRetries: 0 };
  openai = wrapOpenAI(new OpenAI(options), shared.world.client);
  anthropic = wrapAnthropic(new Anthropic(options), shared.world.client);
});

const bytesOf = (lines: readonly unknown[]): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
/** A file in parts, cut in the middle of lines and characters. */
const file = (bytes: Uint8Array<ArrayBuffer>) => ({
  parts: [bytes.slice(0, 150), bytes.slice(150, 1_001), bytes.slice(1_001)],
  headers: { 'content-type': 'application/octet-stream' },
});

const at = Math.floor(Date.now() / 1_000) - 7_200;
const result = (n: number, body: object, status_code = 200) => ({
  id: `batch_req_${n}`,
  custom_id: `ask-${n} é`,
  response: { status_code, request_id: `r${n}`, body },
  error: null,
});
const chat = {
  id: 'c',
  object: 'chat.completion',
  created: at,
  model: 'gpt-4o-2024-08-06',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Paris é' }, finish_reason: 'stop' }],
  usage: {
    prompt_tokens: 1200,
    completion_tokens: 48,
    total_tokens: 1248,
    prompt_tokens_details: { cached_tokens: 1024 },
  },
};
const LINES = [
  result(1, chat),
  result(2, {
    object: 'response',
    model: 'gpt-4o-2024-08-06',
    created_at: at,
    status: 'completed',
    output: [],
    usage: { input_tokens: 1200, output_tokens: 48, input_tokens_details: { cached_tokens: 1024 } },
  }),
  result(3, {
    object: 'list',
    data: [],
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 2000, total_tokens: 2000 },
  }),
  result(4, { error: { message: 'slow down', code: 'rate_limit_exceeded' } }, 429),
  {
    id: 'batch_req_5',
    custom_id: 'ask-5',
    response: null,
    error: { code: 'batch_expired', message: 'late' },
  },
];
/** gpt-4o, USD per million: fresh input 2.50, cached input 1.25, output 10; batches cost half. */
const COST = (176 * 2.5 + 1024 * 1.25 + 48 * 10) / 1e6 / 2;

test('the results of a batch of OpenAI are recorded once, however often and in whatever way they are read', async () => {
  const bytes = bytesOf(LINES);
  const text = new TextDecoder().decode(bytes);
  shared.provider.will(file(bytes), file(bytes), file(bytes), file(bytes));
  expect(await (await openai.files.content('file-1')).text()).toBe(text);
  const events = await shared.world.newEvents();
  expect(await new Response((await openai.files.content('file-1')).body).text()).toBe(text);
  const raw = await openai.files.content('file-1').asResponse();
  expect(new Uint8Array(await raw.arrayBuffer())).toEqual(bytes);
  expect(await (await (await openai.files.content('file-1')).blob()).text()).toBe(text);
  expect(await shared.world.newEvents()).toEqual([]);
  expect(shared.world.client.stats()).toMatchObject({ pending: 0, dropped: 0, rejected: 0 });

  expect(events.map(({ kind, status, error_code }) => [kind, status, error_code])).toEqual([
    ['llm', 'success', null],
    ['llm', 'success', null],
    ['embedding', 'success', null],
    ['span', 'rate_limited', 'rate_limit_exceeded'],
    ['span', 'error', 'batch_expired'],
  ]);
  expect(events[0]).toMatchObject({
    provider: 'openai',
    model: 'gpt-4o-2024-08-06',
    finish_reason: 'stop',
    input_tokens: 1200,
    cached_input_tokens: 1024,
    timestamp: new Date(at * 1_000).toISOString(),
    metadata: { service_tier: 'batch', custom_id: 'ask-1 é' },
    cost_status: 'priced',
  });
  expect(events[0]?.cost_usd).toBeCloseTo(COST, 9);
  expect(events[1]?.cost_usd).toBeCloseTo(COST, 9);
  // 2,000 x 0.02 millionths, half of it
  expect(events[2]?.cost_usd).toBeCloseTo(0.00002, 9);
});

test('other files are downloaded without a word', async () => {
  const examples = bytesOf([{ messages: [] }, LINES[0]]);
  shared.provider.will(file(examples), file(new Uint8Array([0, 255, 10, 123, 0, 10])));
  expect(await (await openai.files.content('file-2')).text()).toBe(new TextDecoder().decode(examples));
  expect((await (await openai.files.content('file-3')).arrayBuffer()).byteLength).toBe(6);
  expect(await shared.world.newEvents()).toEqual([]);
  expect(shared.world.problems).toEqual([]);
});

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5',
  content: [{ type: 'text', text: 'Paris é' }],
  stop_reason: 'end_turn',
  usage: {
    input_tokens: 400,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 2000,
    output_tokens: 77,
    service_tier: 'batch',
  },
};

test('the results of a batch of Anthropic are recorded once', async () => {
  const lines = [
    { custom_id: 'ask-1', result: { type: 'succeeded', message } },
    {
      custom_id: 'ask-2',
      result: {
        type: 'errored',
        error: { type: 'error', error: { type: 'invalid_request', message: 'no' } },
      },
    },
    { custom_id: 'ask-3', result: { type: 'expired' } },
  ];
  const batch = {
    json: { id: 'b1', results_url: `${shared.provider.url}/v1/messages/batches/b1/results` },
  };
  const bytes = bytesOf(lines);
  const results = {
    parts: [bytes.slice(0, 99), bytes.slice(99)],
    headers: { 'content-type': 'application/x-jsonl' },
  };
  shared.provider.will(batch, results, batch, results);
  const read = async () => collect(await anthropic.messages.batches.results('b1'));
  expect((await read()) as unknown).toEqual(lines);
  const events = await shared.world.newEvents();
  await shared.world.client.trace('again', read);
  expect((await shared.world.newEvents()).map(({ kind }) => kind)).toEqual(['span']);

  expect(events.map(({ kind, status, error_code }) => [kind, status, error_code])).toEqual([
    ['llm', 'success', null],
    ['span', 'error', 'invalid_request'],
    ['span', 'cancelled', 'expired'],
  ]);
  expect(events[0]).toMatchObject({
    provider: 'anthropic',
    model: 'claude-haiku-4-5',
    input_tokens: 2400,
    cached_input_tokens: 2000,
    finish_reason: 'end_turn',
    metadata: { service_tier: 'batch', custom_id: 'ask-1' },
    cost_status: 'priced',
  });
  // claude-haiku-4-5, USD per million: input 1, cache read 0.10, output 5; batches cost half
  expect(events[0]?.cost_usd).toBeCloseTo((400 * 1 + 2000 * 0.1 + 77 * 5) / 1e6 / 2, 9);
});

test('the results of a batch of Groq are recorded', async () => {
  const groq = wrapGroq(
    new Groq({ apiKey: 'x', baseURL: shared.provider.url, maxRetries: 0 }),
    shared.world.client,
  );
  shared.provider.will(file(bytesOf([result(1, { ...chat, model: 'openai/gpt-oss-20b' })])));
  await (await groq.files.content('file-1')).text();
  const [event] = await shared.world.newEvents();
  expect(event).toMatchObject({ provider: 'groq', metadata: { service_tier: 'batch' } });
  // openai/gpt-oss-20b, USD per million: input 0.075, cached 0.0375, output 0.30; batches cost half
  expect(event?.cost_usd).toBeCloseTo((176 * 0.075 + 1024 * 0.0375 + 48 * 0.3) / 1e6 / 2, 9);
});
