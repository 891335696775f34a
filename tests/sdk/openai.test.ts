import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import OpenAI6 from 'openai';
import OpenAI7 from 'openai-7';
import { wrapOpenAI } from '../../src/sdk/index.ts';
import { SDK_NAME_AND_VERSION } from '../../src/sdk/version.ts';
import { type MockProvider, startCuttingProvider, startProvider } from './mock-provider.ts';
import { openSdkWorld, type SdkWorld } from './world.ts';

const USAGE = {
  prompt_tokens: 1200,
  completion_tokens: 48,
  total_tokens: 1248,
  prompt_tokens_details: { cached_tokens: 1024 },
  completion_tokens_details: { reasoning_tokens: 16 },
};
const RESPONSE_USAGE = {
  input_tokens: 1200,
  output_tokens: 48,
  total_tokens: 1248,
  input_tokens_details: { cached_tokens: 1024 },
  output_tokens_details: { reasoning_tokens: 16 },
};
const TOKENS = { input_tokens: 1200, output_tokens: 48, cached_input_tokens: 1024, reasoning_tokens: 16 };
/** gpt-4o, USD per million: fresh input 2.50, cached input 1.25, output 10. */
const COST = (176 * 2.5 + 1024 * 1.25 + 48 * 10) / 1e6;

const completion = (more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-2024-08-06',
  choices: [
    { index: 0, message: { role: 'assistant', content: '{"answer":"Paris"}' }, finish_reason: 'stop' },
  ],
  usage: USAGE,
  ...more,
});
const chunk = (delta: object, finish: string | null = null, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-4o-2024-08-06',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});
const CHUNKS = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Pa' }),
  chunk({ content: 'ris' }),
  chunk({}, 'stop'),
];
const USAGE_CHUNK = { ...chunk({}), choices: [], usage: USAGE };
const ASK = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'Capital of France?' }] };

/** Both major versions in use: they differ in how they create the promise of a reply. */
const versions: [name: string, client: typeof OpenAI6][] = [
  ['openai 6', OpenAI6],
  ['openai 7', OpenAI7 as unknown as typeof OpenAI6],
];

describe.each(versions)('%s', (_, OpenAI) => {
  let provider: MockProvider;
  let world: SdkWorld;
  let plain: OpenAI6;
  let openai: OpenAI6;
  beforeAll(() => {
    provider = startProvider();
  });
  afterAll(() => provider.stop());
  beforeEach(async () => {
    world = await openSdkWorld();
    const options = { apiKey: 'sk-test', baseURL: provider.url, maxRetries: 0 };
    plain = new OpenAI(options);
    openai = wrapOpenAI(new OpenAI(options), world.client);
    provider.reset();
  });
  afterEach(() => world.close());

  const only = async () => {
    const events = await world.events();
    expect(events).toHaveLength(1);
    const [event] = events;
    if (event === undefined) throw new Error('no event');
    return event;
  };

  describe('a response in the background', () => {
    const response = (status: string, more: object = {}) => ({
      id: `resp_${crypto.randomUUID()}`,
      object: 'response',
      created_at: Math.floor(Date.now() / 1_000) - 60,
      background: true,
      status,
      model: 'gpt-4o-2024-08-06',
      output: [],
      usage: null,
      ...more,
    });
    const start = () => openai.responses.create({ model: 'gpt-4o', input: 'Hello', background: true });
    const calls = async () => (await world.events()).filter(({ kind }) => kind === 'llm');

    test('is one call, recorded when it is retrieved, however often', async () => {
      const queued = response('queued');
      const done = {
        ...queued,
        status: 'completed',
        usage: RESPONSE_USAGE,
        completed_at: queued.created_at + 9,
      };
      const running = { ...queued, status: 'in_progress' };
      provider.will({ json: queued }, { json: running }, { json: done }, { json: done });
      const { id } = await start();
      expect(await calls()).toEqual([]);
      expect((await openai.responses.retrieve(id)).status).toBe('in_progress');
      expect(await openai.responses.retrieve(id)).toMatchObject({ status: 'completed', output_text: '' });
      await openai.responses.retrieve(id);
      expect(await calls()).toMatchObject([
        { operation: 'responses', status: 'success', latency_ms: 9_000, ...TOKENS, cost_usd: COST },
      ]);
    });

    test('that is streamed and then retrieved is one call', async () => {
      const done = response('completed', { usage: RESPONSE_USAGE });
      provider.will(
        { events: [{ type: 'response.completed', sequence_number: 1, response: done }] },
        { json: done },
      );
      const stream = await openai.responses.create({
        model: 'gpt-4o',
        input: 'Hello',
        background: true,
        stream: true,
      });
      await Array.fromAsync(stream);
      await openai.responses.retrieve(done.id);
      expect(await calls()).toMatchObject([TOKENS]);
    });

    test('that failed or was cancelled is a call that did', async () => {
      const queued = response('queued');
      const failed = response('failed', { error: { code: 'server_error', message: 'no' } });
      provider.will({ json: failed }, { json: { ...queued, status: 'cancelled' } });
      await openai.responses.retrieve(failed.id);
      await openai.responses.cancel(queued.id);
      const found = (await calls()).map(({ status }) => status).sort();
      expect(found).toEqual(['cancelled', 'error']);
    });

    test('a stored response that is looked at is no call', async () => {
      const done = response('completed', { background: false, usage: RESPONSE_USAGE });
      provider.will({ json: done });
      await openai.responses.retrieve(done.id);
      expect(await world.events()).toEqual([]);
    });
  });

  const collect = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const one of stream) all.push(one);
    return all;
  };

  describe('chat completions', () => {
    test('a call is recorded with its tokens, its cost and its finish reason', async () => {
      provider.will({ json: completion() }, { json: completion() });
      expect(await openai.chat.completions.create(ASK)).toEqual(await plain.chat.completions.create(ASK));
      const event = await only();
      expect(event).toMatchObject({
        provider: 'openai',
        model: 'gpt-4o',
        operation: 'chat',
        kind: 'llm',
        status: 'success',
        finish_reason: 'stop',
        stream: false,
        ttft_ms: null,
        ...TOKENS,
        metadata: { response_model: 'gpt-4o-2024-08-06' },
        usage: { prompt_tokens: 1200 },
      });
      expect(event.cost_usd).toBeCloseTo(COST, 9);
      expect(event.latency_ms).toBeGreaterThan(0);
      expect(event.prompt_hash).toMatch(/^[0-9a-f]{64}$/);
      expect(event.sdk_version).toBe(SDK_NAME_AND_VERSION);
    });

    test('the promise keeps its methods: withResponse, asResponse, parse, finally', async () => {
      provider.will(
        { json: completion(), headers: { 'x-request-id': 'req-7' } },
        { json: completion() },
        { json: completion() },
      );
      const { data, response, request_id } = await openai.chat.completions.create(ASK).withResponse();
      expect([data.choices[0]?.finish_reason, response.status, request_id]).toEqual(['stop', 200, 'req-7']);
      const raw = await openai.chat.completions.create(ASK).asResponse();
      expect(raw).toBeInstanceOf(Response);
      expect(raw.bodyUsed).toBe(false);
      expect(await raw.json()).toEqual(completion());
      const promise = openai.chat.completions.create(ASK);
      expect(promise.constructor.name).toBe('APIPromise');
      await promise.finally(() => {});
      expect(await promise).toBe(await promise);
      expect((await world.events()).map((event) => event.input_tokens)).toEqual([1200, 1200, 1200]);
    });

    test('a raw response stays whole: its body may be looked at, copied and read in any way', async () => {
      const reads: ((raw: Response) => Promise<unknown>)[] = [
        async (raw) => raw.body !== null && raw.json(),
        async (raw) => JSON.parse(await (await raw.blob()).text()),
        async (raw) => {
          const copy = raw.clone();
          expect(await copy.json()).toEqual(completion());
          return new Response(raw.body).json();
        },
        async (raw) => {
          const copy = raw.body === null ? raw : raw.clone();
          await raw.body?.cancel();
          return copy.json();
        },
      ];
      for (const read of reads) {
        provider.will({ json: completion() });
        expect(await read(await openai.chat.completions.create(ASK).asResponse())).toEqual(completion());
      }
      const events = await world.events();
      expect(events.map((event) => event.status)).toEqual(['success', 'success', 'success', 'success']);
      expect(events.map((event) => event.input_tokens)).toEqual([1200, 1200, 1200, 1200]);
    });

    test('a structured output is parsed and recorded once', async () => {
      provider.will({ json: completion() });
      const format = { type: 'json_schema' as const, json_schema: { name: 'a', schema: { type: 'object' } } };
      const parsed = await openai.chat.completions.parse({ ...ASK, response_format: format });
      expect(parsed.choices[0]?.message.parsed as unknown).toEqual({ answer: 'Paris' });
      expect(await only()).toMatchObject({ status: 'success', ...TOKENS });
    });

    test('tool calls are counted, and each round of a tool runner is a call', async () => {
      const tool = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } };
      const asks = [
        {
          index: 0,
          message: { role: 'assistant', content: null, tool_calls: [tool] },
          finish_reason: 'tool_calls',
        },
      ];
      provider.will({ json: completion({ choices: asks }) }, { json: completion() });
      const runner = openai.chat.completions.runTools({
        ...ASK,
        tools: [
          {
            type: 'function',
            function: {
              name: 'weather',
              description: '',
              parameters: {},
              parse: JSON.parse,
              function: () => 'sunny',
            },
          },
        ],
      });
      expect(await runner.finalContent()).toBe('{"answer":"Paris"}');
      const events = await world.events();
      expect(events.map((event) => [event.finish_reason, event.metadata.tool_calls])).toEqual([
        ['tool_calls', 1],
        ['stop', undefined],
      ]);
    });

    test('the thrown error is the client’s own object', async () => {
      const body = { error: { message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' } };
      provider.will(
        { json: body, status: 429 },
        { json: body, status: 429 },
        { json: { error: { message: 'no', code: 'invalid_api_key' } }, status: 401 },
      );
      const [wrapped, bare] = await Promise.all(
        [openai, plain].map((client) =>
          client.chat.completions.create(ASK).then(
            () => null,
            (error: unknown) => error,
          ),
        ),
      );
      expect(wrapped).toBeInstanceOf(OpenAI.RateLimitError);
      expect(Object.keys(wrapped as object)).toEqual(Object.keys(bare as object));
      expect((wrapped as Error).message).toBe((bare as Error).message);
      await openai.chat.completions.create(ASK).catch(() => {});
      const events = await world.events();
      expect(events.map((event) => [event.status, event.error_code])).toEqual([
        ['rate_limited', 'rate_limit_exceeded'],
        ['error', 'invalid_api_key'],
      ]);
      expect(events[0]?.error_message).toContain('slow down');
    });

    test('a call with retries of the client is one call', async () => {
      const retrying = openai.withOptions({ maxRetries: 2 });
      provider.will({ json: {}, status: 500, headers: { 'retry-after-ms': '1' } }, { json: completion() });
      await retrying.chat.completions.create(ASK);
      expect(provider.seen).toHaveLength(2);
      expect(await only()).toMatchObject({ status: 'success', ...TOKENS });
    });

    test('a timeout and an abort are distinguished', async () => {
      provider.will({ hang: true }, { hang: true });
      await openai.chat.completions.create(ASK, { timeout: 20 }).catch(() => {});
      const error = await openai.chat.completions
        .create(ASK, { signal: AbortSignal.timeout(20) })
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OpenAI.APIUserAbortError);
      expect(await world.events()).toMatchObject([
        { status: 'timeout', cost_status: 'unpriced', cost_usd: null },
        { status: 'cancelled', cost_status: 'unpriced', cost_usd: null },
      ]);
    });

    test('a broken connection is an error, and the client throws as before', async () => {
      const gone = wrapOpenAI(
        new OpenAI({ apiKey: 'x', baseURL: 'http://127.0.0.1:1', maxRetries: 0 }),
        world.client,
      );
      const error = await gone.chat.completions.create(ASK).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OpenAI.APIConnectionError);
      expect(await only()).toMatchObject({ status: 'error', error_code: 'APIConnectionError' });
    });
  });

  describe('streams', () => {
    const STREAM = { ...ASK, stream: true as const };

    test('the caller gets the same chunks, and the requested usage is recorded', async () => {
      const request = { ...STREAM, stream_options: { include_usage: true } };
      provider.will(
        { events: [...CHUNKS, USAGE_CHUNK, '[DONE]'] },
        { events: [...CHUNKS, USAGE_CHUNK, '[DONE]'] },
      );
      const pieces = await collect(await openai.chat.completions.create(request));
      expect(pieces).toEqual(await collect(await plain.chat.completions.create(request)));
      const event = await only();
      expect(event).toMatchObject({ status: 'success', stream: true, finish_reason: 'stop', ...TOKENS });
      expect(event.ttft_ms).toBeGreaterThan(0);
      expect(event.ttft_ms ?? 0).toBeLessThanOrEqual(event.latency_ms ?? 0);
      expect(event.cost_usd).toBeCloseTo(COST, 9);
    });

    test('usage that the SDK requested is hidden from the caller', async () => {
      const asking = wrapOpenAI(new OpenAI({ apiKey: 'x', baseURL: provider.url }), world.client, {
        includeUsage: true,
      });
      const withNull = CHUNKS.map((one) => ({ ...one, usage: null }));
      provider.will({ events: [...withNull, USAGE_CHUNK, '[DONE]'] });
      const pieces: unknown[] = await collect(await asking.chat.completions.create(STREAM));
      expect(pieces).toEqual(CHUNKS);
      expect(provider.seen[0]?.body.stream_options).toEqual({ include_usage: true });
      expect(await only()).toMatchObject(TOKENS);
      const raw = { events: [...CHUNKS, USAGE_CHUNK, '[DONE]'] };
      provider.will(raw, raw);
      for (const read of [(it: Response) => it.text(), (it: Response) => new Response(it.body).text()]) {
        const text = await read(await asking.chat.completions.create(STREAM).asResponse());
        expect(text).toBe(
          [...CHUNKS.map((one) => JSON.stringify(one)), '[DONE]'].map((one) => `data: ${one}\n\n`).join(''),
        );
      }
      expect((await world.events()).map((event) => event.input_tokens)).toEqual([1200, 1200, 1200]);
    });

    test('a stream without usage is reported', async () => {
      provider.will({ events: [...CHUNKS, '[DONE]'] });
      await collect(await openai.chat.completions.create(STREAM));
      expect(await only()).toMatchObject({ status: 'success', input_tokens: 0 });
      expect(world.problems.map(({ kind }) => kind)).toEqual(['usage_missing']);
      expect(provider.seen[0]?.body).not.toHaveProperty('stream_options');
    });

    test('a consumer that breaks out early ends the request, and the call is cancelled', async () => {
      provider.will({ events: CHUNKS.slice(0, 2), stall: true });
      const stream = await openai.chat.completions.create(STREAM);
      for await (const _ of stream) break;
      expect(stream.controller.signal.aborted).toBe(true);
      expect(await only()).toMatchObject({
        status: 'cancelled',
        error_code: 'stream_abandoned',
        stream: true,
      });
    });

    test('a consumer that stops after the finish reason records a success', async () => {
      provider.will({ events: [...CHUNKS, USAGE_CHUNK], stall: true });
      for await (const piece of await openai.chat.completions.create(STREAM)) {
        if (piece.choices[0]?.finish_reason) break;
      }
      expect(await only()).toMatchObject({ status: 'success', finish_reason: 'stop' });
    });

    test('an abort ends the stream quietly, as it does without the SDK', async () => {
      provider.will({ events: CHUNKS.slice(0, 2), stall: true });
      const stream = await openai.chat.completions.create(STREAM);
      for await (const _ of stream) stream.controller.abort();
      expect(await only()).toMatchObject({ status: 'cancelled', error_code: 'aborted' });
    });

    test('an error in the middle of a stream reaches the caller unchanged', async () => {
      provider.will({ events: [CHUNKS[0], { error: { message: 'overloaded', code: 'server_error' } }] });
      const stream = await openai.chat.completions.create(STREAM);
      await expect(collect(stream)).rejects.toBeInstanceOf(OpenAI.APIError);
      expect(await only()).toMatchObject({ status: 'error', error_code: 'server_error', stream: true });
    });

    test('a connection that breaks in the middle of a stream is an error', async () => {
      const cutting = startCuttingProvider(CHUNKS.slice(0, 2));
      const cut = wrapOpenAI(new OpenAI({ apiKey: 'x', baseURL: cutting.url }), world.client);
      await expect(collect(await cut.chat.completions.create(STREAM))).rejects.toThrow();
      cutting.stop();
      // What was used is not known, and not 0.
      const unknown = { cost_status: 'unpriced', cost_usd: null, usage: { incomplete: true } };
      expect(await only()).toMatchObject({ status: 'error', stream: true, ...unknown });
    });

    test('tee, toReadableStream, a second reading and the raw response work as before', async () => {
      const reply = { events: [...CHUNKS, USAGE_CHUNK, '[DONE]'] };
      provider.will(reply, reply, reply);
      const [left, right] = (await openai.chat.completions.create(STREAM)).tee();
      expect(await collect(left)).toEqual(await collect(right));
      const stream = await openai.chat.completions.create(STREAM);
      const lines = (await new Response(stream.toReadableStream()).text()).trim().split('\n');
      expect(lines).toHaveLength(5);
      await expect(collect(stream)).rejects.toThrow('consumed');
      const raw = await openai.chat.completions.create(STREAM).asResponse();
      expect((await new Response(raw.body).text()).split('data: ')).toHaveLength(7);
      expect((await world.events()).map((event) => event.input_tokens)).toEqual([1200, 1200, 1200]);
    });

    test('the stream helper is one call, with its final message', async () => {
      provider.will({ events: [...CHUNKS, USAGE_CHUNK, '[DONE]'] });
      const runner = openai.chat.completions.stream({ ...ASK, stream_options: { include_usage: true } });
      expect(await runner.finalContent()).toBe('Paris');
      expect((await runner.finalChatCompletion()).usage?.prompt_tokens).toBe(1200);
      expect(await only()).toMatchObject({ stream: true, ...TOKENS });
    });

    test('a stream survives the collection of its promise, and an unread one is ended', async () => {
      const reply = { events: [...CHUNKS, USAGE_CHUNK, '[DONE]'] };
      provider.will(reply, reply);
      const collectGarbage = async () => {
        for (let i = 0; i < 3; i++) {
          Bun.gc(true);
          // Finalizers run in a later turn of the event loop.
          await Bun.sleep(5);
        }
      };
      const read = async () => (await openai.chat.completions.create(STREAM))[Symbol.asyncIterator]();
      const pieces = await read();
      await pieces.next();
      await collectGarbage();
      while ((await pieces.next()).done !== true);
      expect(await only()).toMatchObject({ status: 'success', ...TOKENS });
      const ignore = async () => void (await openai.chat.completions.create(STREAM));
      await ignore();
      await collectGarbage();
      expect((await world.events()).length).toBeLessThanOrEqual(2);
    });

    test('the stream is not read ahead of the caller', async () => {
      provider.will({ events: CHUNKS, stall: true });
      const stream = await openai.chat.completions.create(STREAM);
      const pieces = stream[Symbol.asyncIterator]();
      await pieces.next();
      // Time enough for a reader that runs ahead to end the stream.
      await Bun.sleep(20);
      expect(world.client.stats().pending).toBe(0);
      await pieces.return?.();
      expect(await only()).toMatchObject({ status: 'cancelled' });
    });
  });

  describe('responses, embeddings and the rest', () => {
    const response = (more: object = {}) => ({
      id: 'resp_1',
      object: 'response',
      model: 'gpt-4o-2024-08-06',
      status: 'completed',
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Paris', annotations: [] }],
        },
      ],
      usage: RESPONSE_USAGE,
      ...more,
    });

    test('responses: complete, streamed, incomplete and failed', async () => {
      const events = [
        { type: 'response.created', response: response({ status: 'in_progress', usage: null }) },
        { type: 'response.output_text.delta', delta: 'Paris' },
        { type: 'response.completed', response: response() },
      ];
      const ask = { model: 'gpt-4o', input: 'Capital of France?' };
      provider.will(
        { json: response() },
        { events, named: true },
        { json: response({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }) },
        { json: response({ status: 'failed', error: { code: 'server_error', message: 'sorry' } }) },
      );
      expect((await openai.responses.create(ask)).output_text).toBe('Paris');
      expect(await collect(await openai.responses.create({ ...ask, stream: true }))).toHaveLength(3);
      await openai.responses.create(ask);
      await openai.responses.create(ask);
      const found = await world.events();
      expect(
        found.map((event) => [event.status, event.finish_reason, event.stream, event.input_tokens]),
      ).toEqual([
        ['success', 'completed', false, 1200],
        ['success', 'completed', true, 1200],
        ['success', 'max_output_tokens', false, 1200],
        ['error', null, false, 1200],
      ]);
      expect(found[1]?.ttft_ms).toBeGreaterThan(0);
      expect(found[3]?.error_code).toBe('server_error');
      expect(new Set(found.map((event) => event.prompt_hash)).size).toBe(1);
    });

    test('embeddings are decoded for the caller and recorded', async () => {
      const data = [
        {
          object: 'embedding',
          index: 0,
          embedding: Buffer.from(new Float32Array([1, 0.5]).buffer).toString('base64'),
        },
      ];
      provider.will({
        json: {
          object: 'list',
          data,
          model: 'text-embedding-3-small',
          usage: { prompt_tokens: 7, total_tokens: 7 },
        },
      });
      const { data: got } = await openai.embeddings.create({
        model: 'text-embedding-3-small',
        input: ['a', 'b'],
      });
      expect(got[0]?.embedding).toEqual([1, 0.5]);
      expect(await only()).toMatchObject({
        kind: 'embedding',
        operation: 'embeddings',
        input_tokens: 7,
        output_tokens: 0,
      });
    });

    test('images: the tokens of text and images, also streamed', async () => {
      const usage = {
        input_tokens: 350,
        input_tokens_details: { text_tokens: 50, image_tokens: 300 },
        output_tokens: 4160,
        total_tokens: 4510,
      };
      const done = { type: 'image_generation.completed', b64_json: 'AA==', usage };
      provider.will(
        { json: { created: 1, data: [{ b64_json: 'AA==' }], usage } },
        { events: [{ type: 'image_generation.partial_image', b64_json: 'AA==' }, done], named: true },
        { json: { created: 1, data: [{ b64_json: 'AA==' }], usage } },
      );
      const ask = { model: 'gpt-image-1', prompt: 'A cat' };
      expect((await openai.images.generate(ask)).data).toHaveLength(1);
      expect(await collect(await openai.images.generate({ ...ask, stream: true }))).toHaveLength(2);
      const image = new File([new Uint8Array(4)], 'cat.png', { type: 'image/png' });
      await openai.images.edit({ ...ask, image });
      const events = await world.events();
      expect(events.map(({ operation, model, stream }) => [operation, model, stream])).toEqual([
        ['image_generation', 'gpt-image-1', false],
        ['image_generation', 'gpt-image-1', true],
        ['image_edit', 'gpt-image-1', false],
      ]);
      // 50 x 5 + 300 x 10 + 4,160 x 40 millionths
      for (const event of events)
        expect(event).toMatchObject({ cost_usd: 0.16965, cost_status: 'priced', output_tokens: 4160 });
      expect(new Set(events.map((event) => event.prompt_hash)).size).toBe(1);
    });

    test('audio: transcriptions by tokens and by seconds, and speech', async () => {
      const tokens = {
        type: 'tokens',
        input_tokens: 140,
        input_token_details: { text_tokens: 0, audio_tokens: 140 },
        output_tokens: 30,
        total_tokens: 170,
      };
      provider.will(
        { json: { text: 'Paris', usage: tokens } },
        { json: { text: 'Paris', usage: { type: 'duration', seconds: 90 } } },
        { json: 'the bytes of a file' },
      );
      const file = new File([new Uint8Array(4)], 'voice.wav', { type: 'audio/wav' });
      expect((await openai.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file })).text).toBe(
        'Paris',
      );
      await openai.audio.transcriptions.create({ model: 'whisper-1', file });
      const speech = await openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Paris' });
      expect(await speech.json()).toBe('the bytes of a file');
      const events = await world.events();
      expect(events.map((event) => [event.operation, event.model, event.cost_usd])).toEqual([
        // 140 x 6 + 30 x 10 millionths
        ['transcription', 'gpt-4o-transcribe', 0.00114],
        ['transcription', 'whisper-1', 0.009],
        ['speech', 'tts-1', null],
      ]);
    });

    test('other requests are not calls', async () => {
      provider.will({ json: { object: 'list', data: [] } });
      await openai.models.list();
      expect(await world.events()).toEqual([]);
    });
  });

  test('the client keeps its identity, and is wrapped only once', async () => {
    expect(wrapOpenAI(openai, world.client)).toBe(openai);
    expect(openai).toBeInstanceOf(OpenAI);
    provider.will({ json: completion() });
    await openai.chat.completions.create(ASK);
    await only();
  });

  test('a client that cannot be watched is returned as it is, and is reported once each time', async () => {
    const options = { apiKey: 'x', baseURL: provider.url, maxRetries: 0 };
    const frozen = Object.freeze(new OpenAI(options));
    const refusing = new Proxy(new OpenAI(options), {
      get: (target, name, receiver) => {
        if (name === 'baseURL') throw new Error('no');
        return Reflect.get(target, name, receiver);
      },
      defineProperty: () => false,
    });
    for (const client of [undefined, null, {}, 'openai', frozen, refusing]) {
      world.problems.length = 0;
      expect(wrapOpenAI(client as unknown as OpenAI6, world.client) as unknown).toBe(client);
      expect(world.problems.map(({ kind }) => kind)).toEqual(['configuration']);
    }
    provider.will({ json: completion() });
    expect((await frozen.chat.completions.create(ASK)).id).toBe('chatcmpl-1');
    expect(await world.events()).toEqual([]);
  });

  test('a client behind a proxy is watched', async () => {
    const options = { apiKey: 'x', baseURL: provider.url, maxRetries: 0 };
    const proxied = wrapOpenAI(new Proxy(new OpenAI(options), {}), world.client);
    provider.will({ json: completion() });
    expect((await proxied.chat.completions.create(ASK)).id).toBe('chatcmpl-1');
    await only();
  });

  test('a known host determines the provider, and the option overrides it', async () => {
    const fetch = async () => Response.json(completion());
    const groq = wrapOpenAI(
      new OpenAI({ apiKey: 'x', baseURL: 'https://api.groq.com/openai/v1', fetch }),
      world.client,
    );
    const mine = wrapOpenAI(new OpenAI({ apiKey: 'x', fetch }), world.client, { provider: 'litellm' });
    await groq.chat.completions.create(ASK);
    await mine.chat.completions.create(ASK);
    expect((await world.events()).map((event) => event.provider)).toEqual(['groq', 'litellm']);
  });

  test('a call is unaffected by a missing or failing server', async () => {
    await world.client.shutdown();
    provider.will({ json: completion() });
    expect((await openai.chat.completions.create(ASK)).id).toBe('chatcmpl-1');
  });
});
