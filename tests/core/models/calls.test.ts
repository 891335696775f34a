import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import type { CallEnd } from '../../../src/core/models/contract.ts';
import { callModel } from '../../../src/core/models/index.ts';
import { findProject } from '../../../src/core/projects/index.ts';
import { operatorScope } from '../../../src/core/tenancy/index.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { openFolder } from '../../helpers/folder.ts';
import {
  endOf,
  HELLO,
  MOCK_KEY,
  modelsFile,
  partsOf,
  type RunBody,
  run,
  textOf,
} from '../../helpers/model-calls.ts';
import { type MockReply, type ModelProviderMock, startModelProvider } from '../../helpers/model-provider.ts';
import { queryFile } from '../../helpers/stored-events.ts';
import { tablesWithText } from '../../helpers/stored-text.ts';

let mock: ModelProviderMock;
let world: TestApp;
const folder = openFolder();
beforeAll(async () => {
  process.env.MOCK_MODEL_KEY = MOCK_KEY;
  mock = startModelProvider();
  const file = folder.path('models.json');
  writeFileSync(file, modelsFile(mock, [{ ...slow(), baseUrl: mock.url.openai }]));
  world = await openTestApp({ env: { MODELS_FILE: file, OUTBOUND_ALLOW: '127.0.0.1' }, rateLimits: false });
});
afterAll(async () => {
  await world.close();
  mock.close();
  folder.remove();
  delete process.env.MOCK_MODEL_KEY;
});
afterEach(() => {
  mock.answer = () => ({});
  mock.requests.length = 0;
});

const slow = () => ({ name: 'hasty', provider: 'openai-compatible', models: ['gpt-4o'], timeoutSeconds: 1 });
const DIALECTS = ['openai/gpt-4o', 'anthropic/claude-sonnet-4-5', 'google/gemini-2.5-flash', 'local/gpt-4o'];
type StoredEvent = Record<string, unknown> & { readonly cost_usd: number | null };

const storedOf = async ({ eventId }: CallEnd): Promise<StoredEvent> => {
  const reply = await world.fetch(`/v1/events/${eventId}?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
  });
  return (await reply.json()) as StoredEvent;
};
const ended = async (body: RunBody = HELLO): Promise<CallEnd> => endOf(await partsOf(await run(world, body)));

describe('a call of a model', () => {
  test('streams in each dialect, and its event has the cost that the reply states', async () => {
    for (const model of DIALECTS) {
      const parts = await partsOf(await run(world, { ...HELLO, model }));
      expect([model, textOf(parts)]).toEqual([model, 'Hello from the mock']);
      const end = endOf(parts);
      const event = await storedOf(end);
      const [provider, name] = model.split('/');
      expect(event).toMatchObject({
        provider,
        model: name,
        status: 'success',
        environment: 'spanledger',
        agent: 'playground',
        stream: true,
        input_tokens: 1_000,
        cached_input_tokens: 200,
        output_tokens: 50,
        trace_id: end.traceId,
        timestamp: end.timestamp,
      });
      expect(end).toMatchObject({
        inputTokens: 1_000,
        outputTokens: 50,
        attempts: 1,
        costUsd: event.cost_usd,
      });
      // What the call cost is below what was reserved for it, and neither is a guess of 0.
      const started = parts.find((part) => part.type === 'started');
      if (model !== 'local/gpt-4o') {
        expect(end.costUsd).toBeGreaterThan(0);
        expect(started?.expected.maxCostUsd).toBeGreaterThan(end.costUsd ?? 0);
      }
    }
    // 800 fresh, 200 cached and 50 output tokens of gpt-4o at $2.50, $1.25 and $10 per million.
    expect((await ended()).costUsd).toBe(0.00275);
  });

  test('sends system text, tools, results, schema and settings as each provider takes them', async () => {
    mock.answer = () => ({ toolCall: { id: 'call_2', name: 'weather', args: { city: 'Oslo' } } });
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const body = {
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'call_1', name: 'weather', arguments: { city: 'Bergen' } }],
        },
        { role: 'tool', content: 'rain', toolCallId: 'call_1' },
      ],
      config: {
        temperature: 0.5,
        maxOutputTokens: 77,
        stop: ['END'],
        tools: [{ name: 'weather', parameters }],
      },
    };
    for (const model of DIALECTS) {
      const parts = await partsOf(await run(world, { ...body, model }));
      expect([model, parts.find(({ type }) => type === 'toolCall')]).toMatchObject([
        model,
        { name: 'weather', arguments: { city: 'Oslo' } },
      ]);
      const sent = JSON.stringify(mock.requests.at(-1)?.body);
      for (const text of ['Be brief', 'Weather?', 'Bergen', 'rain', '77', '0.5', 'END', '"city"'])
        expect([model, sent.includes(text)]).toEqual([model, true]);
    }
    mock.answer = () => ({ text: ['{"city":"Oslo"}'] });
    for (const model of DIALECTS) {
      const config = {
        responseFormat: { type: 'json', schema: { ...parameters, additionalProperties: false } },
      };
      const parts = await partsOf(await run(world, { ...HELLO, model, config }));
      expect(JSON.stringify(mock.requests.at(-1)?.body)).toContain('"city"');
      expect([model, endOf(parts).status]).toEqual([model, 'success']);
    }
  });

  test('is stored with content only if the project stores prompts', async () => {
    const said = { ...HELLO, messages: [{ role: 'user', content: 'SENTINEL-ASKED' }] };
    mock.answer = () => ({ text: ['SENTINEL-ANSWERED'] });
    const without = await storedOf(await ended(said));
    expect([without.input, without.output]).toEqual([undefined, undefined]);
    expect(tablesWithText(world.ctx.db.path, 'SENTINEL-A')).toEqual([]);
    const config = `/v1/projects/${world.seed.projectId}/sdk-config`;
    const { bearer } = world.seed;
    expect((await world.fetch(config, { method: 'PUT', bearer, json: { storePrompts: true } })).status).toBe(
      200,
    );
    const stored = await storedOf(await ended(said));
    expect(stored.input).toEqual([{ role: 'user', content: 'SENTINEL-ASKED' }]);
    expect(stored.output).toEqual([{ role: 'assistant', content: 'SENTINEL-ANSWERED' }]);
    await world.fetch(config, { method: 'PUT', bearer, json: { storePrompts: false } });
  });
});

describe('the cost that a call shows is that of its event, to the nano-dollar', () => {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const seen = { role: 'user' as const, content: 'What is this?', images: [`data:image/png;base64,${png}`] };
  const withImages: Record<string, unknown> = {
    openai: {
      prompt_tokens: 1_003,
      completion_tokens: 77,
      total_tokens: 1_080,
      prompt_tokens_details: { cached_tokens: 101, image_tokens: 255 },
      completion_tokens_details: { reasoning_tokens: 31 },
    },
    google: {
      promptTokenCount: 1_003,
      candidatesTokenCount: 46,
      thoughtsTokenCount: 31,
      cachedContentTokenCount: 101,
      totalTokenCount: 1_080,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 748 },
        { modality: 'IMAGE', tokenCount: 255 },
      ],
    },
  };
  const nano = (usd: unknown): number | null => (typeof usd === 'number' ? Math.round(usd * 1e9) : null);

  for (const model of DIALECTS)
    test(`of ${model}: streamed or whole, with cached, reasoning and image tokens, and stopped`, async () => {
      mock.answer = ({ dialect }) => ({
        usage: { input: 1_003, cached: 101, output: 77, reasoning: 31 },
        ...(withImages[dialect] !== undefined && { rawUsage: withImages[dialect] }),
      });
      const scope = operatorScope(await findProject(world.ctx, world.seed.projectId));
      const call = async (stream: boolean, stop?: AbortController): Promise<CallEnd> =>
        callModel(
          world.ctx,
          {
            scope,
            actor: { kind: 'system', name: 'test' },
            agent: 'test',
            action: 'model.called',
            model,
            messages: [seen],
            config: {},
            prompt: null,
            stream,
          },
          {
            onPart: (part) => void (part.type === 'text' && stop?.abort()),
            ...(stop !== undefined && { signal: stop.signal }),
          },
        );
      const [streamed, whole] = [await call(true), await call(false)];
      expect(JSON.stringify(mock.requests.at(-1)?.body)).toContain(png.slice(0, 40));
      const { promise: never } = Promise.withResolvers<void>();
      const { answer } = mock;
      mock.answer = (request) => ({ ...answer(request), between: never });
      const stopped = await call(true, new AbortController());
      for (const end of [streamed, whole, stopped]) {
        const event = await storedOf(end);
        expect<unknown>([end.status, nano(end.costUsd), end.costStatus]).toEqual([
          event.status,
          nano(event.cost_usd),
          event.cost_status,
        ]);
        expect<unknown>([end.cachedInputTokens, end.reasoningTokens]).toEqual([
          event.cached_input_tokens,
          event.reasoning_tokens,
        ]);
      }
      expect([streamed.status, whole.status, stopped.status]).toEqual(['success', 'success', 'cancelled']);
      expect(nano(whole.costUsd)).toBe(nano(streamed.costUsd));
      expect([whole.inputTokens, whole.outputTokens, whole.cachedInputTokens]).toEqual([1_003, 77, 101]);
      if (model !== 'local/gpt-4o') expect(nano(whole.costUsd)).toBeGreaterThan(0);
    });

  test('only messages of users have images, and the store has none of their data', async () => {
    const refused = await run(world, { ...HELLO, messages: [{ ...seen, role: 'system' }] });
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      400,
      'messages.0: only a message of the user has images',
    ]);
    for (const image of [
      'https://example.com/a.png',
      'data:text/html;base64,AAAA',
      'data:image/png;base64,é',
    ])
      expect((await run(world, { ...HELLO, messages: [{ ...seen, images: [image] }] })).status).toBe(400);
    expect(tablesWithText(world.ctx.db.path, png.slice(0, 40))).toEqual([]);
  });
});

describe('a provider that fails', () => {
  type Case = {
    readonly name: string;
    readonly reply: MockReply;
    readonly model?: string;
    readonly ends: Partial<CallEnd>;
    readonly says?: RegExp;
    readonly cost: number | null;
  };
  const again = { headers: { 'retry-after-ms': '1' } };
  const cases: readonly Case[] = [
    {
      name: 'refuses the key and repeats it',
      reply: { status: 401, error: `Incorrect API key provided: ${MOCK_KEY}` },
      ends: { status: 'error', errorCode: 'mock_401', attempts: 1 },
      says: /^The provider replied 401 \(the operator has to check the provider's key\): Incorrect API key provided: \[key\]$/,
      cost: 0,
    },
    {
      name: 'is overloaded',
      reply: { status: 429, error: 'Slow down', ...again },
      ends: { status: 'rate_limited', attempts: 3 },
      cost: 0,
    },
    {
      name: 'wants a longer wait than anybody has',
      reply: { status: 429, headers: { 'retry-after': '3600' } },
      ends: { status: 'rate_limited', attempts: 1 },
      cost: 0,
    },
    { name: 'fails', reply: { status: 500, ...again }, ends: { status: 'error', attempts: 3 }, cost: 0 },
    { name: 'gave up', reply: { status: 504, ...again }, ends: { status: 'timeout' }, cost: null },
    {
      name: 'redirects to the metadata service',
      reply: { status: 302, headers: { location: 'http://169.254.169.254/' }, body: '' },
      ends: { status: 'error', errorCode: 'http_302', attempts: 1 },
      says: /redirect/,
      cost: 0,
    },
    {
      name: 'sends what is no JSON',
      reply: { body: 'data: {"choices": [\n\n', headers: { 'content-type': 'text/event-stream' } },
      ends: { status: 'error', errorCode: 'invalid_reply', attempts: 1 },
      cost: null,
    },
    {
      name: 'sends a page',
      reply: { body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } },
      ends: { status: 'error', errorCode: 'invalid_reply' },
      cost: null,
    },
    {
      name: 'ends in the middle',
      reply: { ends: 'cut' },
      ends: { status: 'error', attempts: 1, inputTokens: 0 },
      cost: null,
    },
    {
      name: 'ends in the middle, but told its input',
      model: 'anthropic/claude-sonnet-4-5',
      reply: { ends: 'cut' },
      ends: { status: 'error', inputTokens: 1_000, outputTokens: 1, costStatus: 'estimated' },
      cost: 0.002475,
    },
    {
      name: 'never ends',
      reply: { ends: 'endless' },
      ends: { status: 'error', errorCode: 'connection_too_large' },
      cost: null,
    },
    {
      name: 'sends a hundred megabytes',
      reply: { body: 'x'.repeat(100_000_000) },
      ends: { status: 'error' },
      cost: null,
    },
    {
      name: 'sends no usage',
      reply: { usage: null },
      ends: { status: 'success', costStatus: 'unpriced' },
      cost: null,
    },
    {
      name: 'sends a usage that is none',
      reply: {
        rawUsage: { prompt_tokens: -5, completion_tokens: 'many', ['k'.repeat(5_000)]: 1, deep: deep(50) },
      },
      ends: { status: 'error', errorCode: 'invalid_reply' },
      cost: null,
    },
    {
      name: 'is silent for longer than a call may take',
      model: 'hasty/gpt-4o',
      reply: { before: new Promise(() => {}) },
      ends: { status: 'timeout', errorCode: 'timeout', attempts: 1 },
      cost: null,
    },
  ];
  function deep(levels: number): object {
    return levels === 0 ? {} : { deep: deep(levels - 1) };
  }

  for (const { name, reply, model = 'openai/gpt-4o', ends, says, cost } of cases) {
    test(`and ${name}: the event says so`, async () => {
      mock.answer = () => reply;
      const end = await ended({ ...HELLO, model });
      expect(end).toMatchObject(ends);
      if (says !== undefined) expect(end.error).toMatch(says);
      const event = await storedOf(end);
      expect(event).toMatchObject({
        status: end.status,
        error_code: end.errorCode,
        error_message: end.error,
      });
      expect([end.costUsd, event.cost_usd]).toEqual([cost, cost]);
      expect(runningCalls()).toBe(0);
    });
  }

  test('and recovers: the call is tried again and recorded once', async () => {
    let count = 0;
    mock.answer = () => (++count < 3 ? { status: 503, ...again } : {});
    const parts = await partsOf(await run(world));
    expect(parts.filter(({ type }) => type === 'retrying')).toHaveLength(2);
    expect(endOf(parts)).toMatchObject({ status: 'success', attempts: 3, costUsd: 0.00275 });
    expect((await storedOf(endOf(parts))).metadata).toMatchObject({ attempts: 3 });
  });

  test('the key is in the header of requests and nowhere else', async () => {
    await ended();
    expect(mock.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${MOCK_KEY}`);
    expect(tablesWithText(world.ctx.db.path, MOCK_KEY)).toEqual([]);
    const listed = await world.fetch(`/v1/models?projectId=${world.seed.projectId}`, {
      bearer: world.seed.bearer,
    });
    expect(await listed.text()).not.toMatch(new RegExp(`${MOCK_KEY}|127\\.0\\.0\\.1`));
  });
});

const runningCalls = (): number =>
  Number(queryFile(world.ctx.db.path, 'SELECT count(*) FROM model_calls')[0]?.[0]);
