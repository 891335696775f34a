import { describe, expect, test } from 'bun:test';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import OpenAI from 'openai';
import {
  aiMiddleware,
  createClient,
  type Problem,
  wrapAnthropic,
  wrapGoogleGenAI,
  wrapOpenAI,
} from '../../src/sdk/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { share } from './share.ts';
import { collect, fetchOf } from './world.ts';

const shared = share();
const send = (method: string, path: string, json: object) =>
  shared.world.app.fetch(`/v1/${path}?projectId=${shared.world.app.seed.projectId}`, {
    method,
    bearer: shared.world.app.seed.bearer,
    json,
  });
const make = async (name: string, body: object): Promise<void> => {
  const reply = await send('POST', 'prompts', { name, labels: ['production'], ...body });
  expect([name, reply.status]).toEqual([name, 201]);
};
const publish = (name: string, body: object) =>
  send('POST', `prompts/${encodeURIComponent(name)}/versions`, { labels: ['production'], ...body });

/** A client of its own whose requests are counted and can fail. */
const open = () => {
  const problems: Problem[] = [];
  const state = { paths: [] as string[], down: false, statuses: [] as number[] };
  const { app } = shared.world;
  const direct = fetchOf(app);
  const client = createClient({
    apiKey: app.seed.apiKey,
    baseUrl: 'http://ledger.test',
    env: {},
    remoteConfig: false,
    onProblem: (problem) => void problems.push(problem),
    fetch: async (url, init) => {
      state.paths.push(url);
      if (state.down) throw new TypeError('connection refused');
      const reply = await direct(url, init);
      state.statuses.push(reply.status);
      return reply;
    },
  });
  return { client, problems, state };
};

describe('client.prompt', () => {
  test('fetches once for all who ask at once, then serves from memory and fetches again behind', async () => {
    await make('a/b', { template: 'Sort {{ticket}}', config: { model: 'gpt-4o' } });
    const { client, state } = open();
    const prompts = await Promise.all(Array.from({ length: 20 }, () => client.prompt('a/b')));
    expect(prompts[0]).toMatchObject({
      version: 1,
      variables: ['ticket'],
      isFallback: false,
      config: { model: 'gpt-4o' },
    });
    expect(prompts[0]?.compile({ ticket: '{{x}}' })).toBe('Sort {{x}}');
    expect(state.paths).toHaveLength(1);
    await client.prompt('a/b', { ttl: -1 });
    await eventually('a reply 304', () => state.statuses.at(-1) === 304);
    await publish('a/b', { template: 'Sort it: {{ticket}}' });
    expect((await client.prompt('a/b', { ttl: -1 })).version).toBe(1);
    await eventually('the new version', async () => (await client.prompt('a/b')).version === 2);
    expect(() => prompts[0]?.compile({})).toThrow('The variable ticket has no value');
    expect((await client.prompt('a/b', { version: 1 })).compile({ ticket: 'x' })).toBe('Sort x');
  });

  test('goes on while the server fails, and says so once', async () => {
    await make('kept', { template: 'Hi' });
    const { client, state, problems } = open();
    await client.prompt('kept');
    state.down = true;
    for (let i = 0; i < 50; i++) {
      expect((await client.prompt('kept', { ttl: -1 })).compile()).toBe('Hi');
    }
    expect(state.paths).toHaveLength(2);
    expect(problems).toEqual([
      { kind: 'unreachable', events: 0, message: expect.stringContaining('the one in memory is used') },
    ]);
  });

  test('from memory a prompt costs its caller less than 20 microseconds of CPU', async () => {
    await make('cached', { template: 'Hi {{name}}' });
    const { client, state } = open();
    await client.prompt('cached');
    const rounds: number[] = [];
    for (let round = 0; round < 9; round++) {
      const before = process.cpuUsage();
      for (let i = 0; i < 1_000; i++) await client.prompt('cached', { stickyKey: 'ada' });
      const { user, system } = process.cpuUsage(before);
      rounds.push((user + system) / 1_000);
    }
    const median = rounds.toSorted((a, b) => a - b)[4];
    expect(median).toBeLessThan(20);
    expect(state.paths).toHaveLength(1);
  });

  test('without a server it uses the fallback, or says clearly why it cannot', async () => {
    const { client, state } = open();
    state.down = true;
    const fallback = await client.prompt('late', { fallback: 'Hi {{name}}' });
    expect(fallback).toMatchObject({ version: null, isFallback: true, type: 'text', variables: ['name'] });
    expect(fallback.compile({ name: 'Ada' })).toBe('Hi Ada');
    // @ts-expect-error: the literal has the variable name
    expect(() => fallback.compile({ nome: 'Ada' })).toThrow('name has no value');
    const chat = await client.prompt('late', { fallback: [{ role: 'system', content: 'Be {{mood}}' }] });
    expect(chat.compile({ mood: 'calm' })).toEqual([{ role: 'system', content: 'Be calm' }]);
    await expect(client.prompt('late')).rejects.toThrow(
      /could not be fetched: .*connection refused.*pass a fallback/,
    );
    // It does not ask a server that just failed for each call.
    expect(state.paths.length).toBeLessThan(4);
  });

  test('says what the server says of a prompt that is not there', async () => {
    const { client } = open();
    await expect(client.prompt('nowhere')).rejects.toThrow('There is no prompt nowhere (404)');
    const unknown = createClient({ enabled: true, env: {}, onProblem: () => {} });
    await expect(unknown.prompt('x')).rejects.toThrow('there is no API key');
    expect((await unknown.prompt('x', { fallback: 'F' })).compile()).toBe('F');
  });

  test('a chat prompt is asked for as one', async () => {
    await make('chat', { messages: [{ role: 'user', content: '{{q}}' }] });
    const { client } = open();
    const prompt = await client.prompt('chat', { type: 'chat' });
    expect(prompt.compile({ q: 'Why?' })).toEqual([{ role: 'user', content: 'Why?' }]);
    await expect(client.prompt('chat')).rejects.toThrow(
      "is a chat prompt and not a text prompt; pass type: 'chat'",
    );
  });

  test('a user gets the same version of a split as from the server, by key or by scope', async () => {
    await make('ab', { template: 'one' });
    await publish('ab', { template: 'two', labels: [] });
    const versions = [
      { version: 1, weight: 1 },
      { version: 2, weight: 1 },
    ];
    await send('PUT', 'prompts/ab/labels/production', { versions });
    const { client, state } = open();
    const { app } = shared.world;
    for (let i = 0; i < 20; i++) {
      const reply = await app.fetch(`/v1/sdk/prompts/ab?stickyKey=u${i}`, { apiKey: app.seed.apiKey });
      const { version } = (await reply.json()) as { version: number };
      expect((await client.prompt('ab', { stickyKey: `u${i}` })).version).toBe(version);
      expect((await client.with({ user_id: `u${i}` }, () => client.prompt('ab'))).version).toBe(version);
    }
    expect(state.paths).toHaveLength(1);
  });
});

describe('calls made with a prompt carry its name and version', () => {
  const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
  const completion = {
    id: 'c',
    model: 'gpt-4o',
    choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
    usage,
  };
  const claude = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    content: [{ type: 'text', text: 'x' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 12, output_tokens: 3 },
  };
  const gemini = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 3, totalTokenCount: 15 },
    modelVersion: 'gemini-2.5-flash',
  };

  const chunk = {
    id: 'c',
    model: 'gpt-4o',
    choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null }],
  };
  const stop = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const chunks = [chunk, stop, { ...chunk, choices: [], usage }, '[DONE]'];
  const claudeEvents = [
    { type: 'message_start', message: { ...claude, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ];

  test('through openai, anthropic, the AI SDK and google, streamed or not, and a call without one does not', async () => {
    await make('system', { template: 'You sort tickets of {{team}}.' });
    await make('talk', {
      messages: [
        { role: 'system', content: 'You answer {{who}}.' },
        { role: 'user', content: '{{q}}' },
      ],
    });
    const { client } = shared.world;
    const { url } = shared.provider;
    const system = (await client.prompt('system')).compile({ team: 'one' });
    const messages = (await client.prompt('talk', { type: 'chat' })).compile({ who: 'Ada', q: 'Why?' });
    const openai = wrapOpenAI(new OpenAI({ apiKey: 'x', baseURL: url }), client);
    const anthropic = wrapAnthropic(new Anthropic({ apiKey: 'x', baseURL: url }), client);
    const google = wrapGoogleGenAI(new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: url } }), client);
    const model = wrapLanguageModel({
      model: createOpenAI({ apiKey: 'x', baseURL: url }).chat('gpt-4o'),
      middleware: aiMiddleware(client),
    });
    const ask = { role: 'user' as const, content: 'Hello' };
    type Chat = OpenAI.ChatCompletionMessageParam[];
    const calls: (() => PromiseLike<unknown>)[] = [
      () =>
        openai.chat.completions.create({
          model: 'gpt-4o',
          messages: [{ role: 'system', content: system }, ask],
        }),
      () => openai.chat.completions.create({ model: 'gpt-4o', messages: [...(messages as Chat), ask] }),
      () => anthropic.messages.create({ model: 'claude-haiku-4-5', max_tokens: 9, system, messages: [ask] }),
      () => generateText({ model, system, prompt: 'Hello' }),
      () =>
        google.models.generateContent({
          model: 'gemini-2.5-flash',
          contents: 'Hello',
          config: { systemInstruction: system },
        }),
      async () =>
        collect(
          await openai.chat.completions.create({
            model: 'gpt-4o',
            messages: [...(messages as Chat), ask],
            stream: true,
          }),
        ),
      () => openai.responses.create({ model: 'gpt-4o', instructions: system, input: 'Hello' }),
      async () =>
        collect(
          await anthropic.messages.create({
            model: 'claude-haiku-4-5',
            max_tokens: 9,
            system: [{ type: 'text', text: system }],
            messages: [ask],
            stream: true,
          }),
        ),
      () =>
        anthropic.messages
          .stream({ model: 'claude-haiku-4-5', max_tokens: 9, system, messages: [ask] })
          .finalMessage(),
      () => collect(streamText({ model, system, prompt: 'Hello' }).textStream),
      () => openai.chat.completions.create({ model: 'gpt-4o', messages: [ask] }),
      // Only one of the texts of a prompt is not the prompt.
      () =>
        openai.chat.completions.create({
          model: 'gpt-4o',
          messages: [{ role: 'system', content: 'You answer Ada.' }],
        }),
    ];
    const response = {
      id: 'r',
      object: 'response',
      model: 'gpt-4o',
      status: 'completed',
      output: [],
      usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
    };
    const replies: Parameters<typeof shared.provider.will> = [
      { json: completion },
      { json: completion },
      { json: claude },
      { json: completion },
      { json: gemini },
      { events: chunks },
      { json: response },
      { events: claudeEvents, named: true },
      { events: claudeEvents, named: true },
      { events: chunks },
      { json: completion },
      { json: completion },
    ];
    await shared.world.newEvents();
    for (const [i, call] of calls.entries()) {
      shared.provider.will(...replies.slice(i, i + 1));
      await client.with({ user_id: `call-${i}` }, async () => await call());
    }
    const run = await client.prompt('system');
    shared.provider.will({ json: completion });
    await client.with({ user_id: `call-${calls.length}` }, () =>
      run.run(() =>
        openai.chat.completions.create({
          model: 'gpt-4o',
          messages: [{ role: 'user', content: `${system}!` }],
        }),
      ),
    );
    const events = await shared.world.newEvents();
    const found = Array.from({ length: calls.length + 1 }, (_, i) => {
      const event = events.find(({ user_id }) => user_id === `call-${i}`);
      return [event?.prompt_name, event?.prompt_version];
    });
    expect(events).toHaveLength(found.length);
    expect(found).toEqual([
      ['system', '1'],
      ['talk', '1'],
      ['system', '1'],
      ['system', '1'],
      ['system', '1'],
      ['talk', '1'],
      ['system', '1'],
      ['system', '1'],
      ['system', '1'],
      ['system', '1'],
      [null, null],
      [null, null],
      ['system', '1'],
    ]);
  });
});
