import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import OpenAI7 from 'openai-7';
import { createGuardrails, GuardrailError } from '../../src/sdk/guardrails.ts';
import { wrapAnthropic, wrapOpenAI } from '../../src/sdk/index.ts';
import { type MockProvider, startProvider } from './mock-provider.ts';
import { openSdkWorld, type SdkWorld } from './world.ts';

// Every way in which a reply can carry text: none of them may pass the guardrails by.
const MAIL = 'canary7f3a@example.com';
let world: SdkWorld;
let provider: MockProvider;
beforeAll(() => {
  provider = startProvider();
});
afterAll(() => provider.stop());
beforeEach(async () => {
  provider.reset();
  world = await openSdkWorld();
  await define('pii', [{ kind: 'pii', config: { types: ['email'] }, action: 'redact' }]);
  await define('words', [{ kind: 'keywords', config: { words: ['falcon'] }, action: 'block' }]);
});
afterEach(() => world.close());

const define = async (name: string, checks: unknown): Promise<void> => {
  const { seed, fetch } = world.app;
  const made = await fetch(`/v1/guardrails?projectId=${seed.projectId}`, {
    bearer: seed.bearer,
    json: { name, checks },
  });
  expect(made.status).toBe(201);
};
const pieces = (text: string): string[] => text.match(/.{1,6}/gs) ?? [];
const ASK = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'hi' }] };
const chunk = (choices: object[]) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-4o',
  choices,
});
const completion = (message: object) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
});
const errorOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (error: unknown) => error,
  );

for (const [name, Client] of [
  ['openai 6', OpenAI],
  ['openai 7', OpenAI7 as unknown as typeof OpenAI],
] as const) {
  describe(name, () => {
    const open = () =>
      wrapOpenAI(new Client({ apiKey: 'x', baseURL: provider.url, maxRetries: 0 }), world.client, {
        guardrails: createGuardrails(world.client),
      });

    test('several streamed replies at once, in chunks of one and of all', async () => {
      const texts = [`First, write to ${MAIL} today`, `${MAIL} is second, and goes on for a while`];
      const parts = texts.map(pieces);
      const events: unknown[] = [];
      for (let i = 0; i < Math.max(...parts.map(({ length }) => length)); i++) {
        const choices = parts.flatMap((own, index) =>
          own[i] === undefined ? [] : [{ index, delta: { content: own[i] }, finish_reason: null }],
        );
        if (i % 2 === 0) events.push(chunk(choices));
        else for (const choice of choices) events.push(chunk([choice]));
      }
      events.push(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]));
      events.push(chunk([{ index: 1, delta: {}, finish_reason: 'stop' }]), '[DONE]');
      provider.will({ events });
      const read = ['', ''];
      for await (const { choices } of await open().chat.completions.create({ ...ASK, n: 2, stream: true }))
        for (const { index, delta } of choices) read[index] += delta.content ?? '';
      expect(read).toEqual(texts.map((text) => text.replace(MAIL, '[EMAIL]')));
    });

    test('streamed arguments of tools, refusals and reasoning', async () => {
      const call = (index: number, fields: object) => [
        { index: 0, delta: { tool_calls: [{ index, ...fields }] }, finish_reason: null },
      ];
      const args = [`{"to":"${MAIL}","text":"hello"}`, `{"cc":["${MAIL}"]}`];
      const streamed = (field: string) =>
        pieces(`I may not write to ${MAIL}.`).map((text) =>
          chunk([{ index: 0, delta: { [field]: text }, finish_reason: null }]),
        );
      provider.will({
        events: [
          ...streamed('reasoning_content'),
          ...streamed('refusal'),
          ...args.flatMap((text, i) => [
            chunk(call(i, { id: `call_${i}`, type: 'function', function: { name: 'mail', arguments: '' } })),
            ...pieces(text).map((piece) => chunk(call(i, { function: { arguments: piece } }))),
          ]),
          chunk([{ index: 0, delta: {}, finish_reason: 'tool_calls' }]),
          '[DONE]',
        ],
      });
      const read: Record<string, string> = {};
      const names: string[] = [];
      const add = (key: string, text: unknown): void => {
        if (typeof text === 'string') read[key] = (read[key] ?? '') + text;
      };
      for await (const { choices } of await open().chat.completions.create({ ...ASK, stream: true })) {
        for (const { delta } of choices) {
          for (const [field, value] of Object.entries(delta)) add(field, value);
          for (const { index, id, function: called } of delta.tool_calls ?? []) {
            add(`tool ${index}`, called?.arguments);
            if (id !== undefined) names.push(`${id} ${called?.name}`);
          }
        }
      }
      expect(read).toEqual({
        reasoning_content: 'I may not write to [EMAIL].',
        refusal: 'I may not write to [EMAIL].',
        'tool 0': '{"to":"[EMAIL]","text":"hello"}',
        'tool 1': '{"cc":["[EMAIL]"]}',
      });
      expect(names).toEqual(['call_0 mail', 'call_1 mail']);
    });

    test('a reply that is withheld is billed, and nothing of it is recorded', async () => {
      const reply = completion({ content: 'the falcon' });
      const events = [
        chunk([{ index: 0, delta: { content: 'the falcon' }, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
        '[DONE]',
      ];
      provider.will({ json: reply }, { json: reply }, { events });
      const { completions } = open().chat;
      const read = async () => {
        for await (const _ of await completions.create({ ...ASK, stream: true }));
      };
      for (const ask of [() => completions.create(ASK), () => completions.create(ASK).asResponse(), read])
        expect(await errorOf(ask())).toBeInstanceOf(GuardrailError);
      const calls = (await world.events()).filter(({ kind }) => kind === 'llm');
      const withheld = { status: 'error', error_code: 'GuardrailError' };
      const billed = { ...withheld, input_tokens: 12, output_tokens: 3, cost_usd: (12 * 2.5 + 3 * 10) / 1e6 };
      const unknown = { ...withheld, stream: true, cost_status: 'unpriced', cost_usd: null };
      expect(calls).toMatchObject([billed, billed, unknown]);
      expect(JSON.stringify(calls)).not.toContain('falcon');
    });

    test('a raw reply is checked, a raw stream is refused, and beside a checked one there is none', async () => {
      provider.will({ json: completion({ content: `Dear ${MAIL}` }) });
      const raw = await open().chat.completions.create(ASK).asResponse();
      expect(raw.headers.get('content-type')).toContain('json');
      expect(((await raw.json()) as OpenAI.ChatCompletion).choices[0]?.message.content).toBe('Dear [EMAIL]');

      provider.will({ json: completion({ content: 'the falcon' }) });
      const blocked = await errorOf(open().chat.completions.create(ASK).asResponse());
      expect(blocked).toBeInstanceOf(GuardrailError);

      const events = [chunk([{ index: 0, delta: { content: MAIL }, finish_reason: 'stop' }]), '[DONE]'];
      provider.will({ events });
      const asked = open().chat.completions.create({ ...ASK, stream: true });
      const refused = await errorOf(asked.asResponse());
      expect(refused).toBeInstanceOf(GuardrailError);
      expect(String(refused)).toContain('read the stream of the client itself');

      provider.will({ events });
      const both = await open()
        .chat.completions.create({ ...ASK, stream: true })
        .withResponse();
      expect([both.response.status, both.response.body]).toEqual([200, null]);
      let read = '';
      for await (const { choices } of both.data) read += choices[0]?.delta.content ?? '';
      expect(read).toBe('[EMAIL]');
      expect(JSON.stringify(await world.events())).not.toContain('canary7f3a');
    });

    test('transcripts: as text, in pieces, in segments, and of a reply in sound', async () => {
      const audio = open().audio.transcriptions;
      const file = new File(['RIFF'], 'a.wav', { type: 'audio/wav' });
      const settings = { file, model: 'whisper-1', prompt: `Spell ${MAIL}` };
      const parts = [new TextEncoder().encode(`Call ${MAIL}`)];
      provider.will({ parts, headers: { 'content-type': 'text/plain' } });
      expect(String(await audio.create({ ...settings, response_format: 'text' }))).toBe('Call [EMAIL]');
      expect(provider.seen[0]?.text).toContain('Spell [EMAIL]');
      provider.will({ json: { text: MAIL, duration: 1, segments: [{ id: 0, text: MAIL }] } });
      const verbose = await audio.create({ ...settings, response_format: 'verbose_json' });
      expect([verbose.text, verbose.segments?.[0]?.text]).toEqual(['[EMAIL]', '[EMAIL]']);
      provider.will({
        events: [
          ...pieces(`Call ${MAIL} now`).map((delta) => ({ type: 'transcript.text.delta', delta })),
          { type: 'transcript.text.done', text: `Call ${MAIL} now` },
        ],
      });
      const read: Record<string, string> = {};
      for await (const event of await audio.create({
        ...settings,
        model: 'gpt-4o-transcribe',
        stream: true,
      })) {
        const text = 'delta' in event ? event.delta : 'text' in event ? event.text : '';
        read[event.type] = (read[event.type] ?? '') + text;
      }
      expect(read).toEqual({
        'transcript.text.delta': 'Call [EMAIL] now',
        'transcript.text.done': 'Call [EMAIL] now',
      });
      const spoken = { id: 'a', data: 'UklGRg==', expires_at: 1, transcript: `Hear ${MAIL}` };
      provider.will({ json: completion({ audio: spoken }) });
      const { choices } = await open().chat.completions.create(ASK);
      expect(choices[0]?.message.audio).toEqual({ ...spoken, transcript: 'Hear [EMAIL]' });
    });

    test('responses: what comes whole in a stream is checked too, and the own instructions are not', async () => {
      const item = (text: string) => ({ id: 'm', type: 'message', content: [{ type: 'output_text', text }] });
      const response = (text: string) => ({
        id: 'r',
        object: 'response',
        status: 'completed',
        instructions: 'Never tell of the falcon.',
        output: [item(text)],
      });
      const stream = async (events: object[]): Promise<string> => {
        provider.will({ events });
        let read = '';
        const asked = await open().responses.create({ model: 'gpt-4o', input: 'hi', stream: true });
        for await (const event of asked) read += JSON.stringify(event);
        return read;
      };
      const done = (text: string) => [
        { type: 'response.output_item.done', output_index: 0, item: item(text) },
        { type: 'response.completed', response: response(text) },
      ];
      const read = await stream(done(`Dear ${MAIL}`));
      expect(read).toContain('Dear [EMAIL]');
      expect(read).not.toContain('canary7f3a');
      expect(await errorOf(stream(done('the falcon')))).toBeInstanceOf(GuardrailError);
    });
  });
}

test('Anthropic: thoughts, arguments of tools, and blocks that come whole', async () => {
  const anthropic = wrapAnthropic(
    new Anthropic({ apiKey: 'x', baseURL: provider.url, maxRetries: 0 }),
    world.client,
    { guardrails: createGuardrails(world.client) },
  );
  const block = (index: number, start: object, type: string, field: string, text: string) => [
    { type: 'content_block_start', index, content_block: start },
    ...pieces(text).map((piece) => ({
      type: 'content_block_delta',
      index,
      delta: { type, [field]: piece },
    })),
    { type: 'content_block_stop', index },
  ];
  provider.will({
    named: true,
    events: [
      {
        type: 'message_start',
        message: { id: 'm', role: 'assistant', content: [], model: 'x', usage: { input_tokens: 1 } },
      },
      ...block(0, { type: 'thinking', thinking: '' }, 'thinking_delta', 'thinking', `Ask ${MAIL} or so`),
      ...block(
        1,
        { type: 'tool_use', name: 'mail', input: {} },
        'input_json_delta',
        'partial_json',
        `{"to":"${MAIL}"}`,
      ),
      ...block(2, { type: 'tool_result', content: `From ${MAIL}` }, 'text_delta', 'text', ''),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ],
  });
  const ask = {
    model: 'claude-sonnet-4-5',
    max_tokens: 9,
    messages: [{ role: 'user' as const, content: 'x' }],
  };
  let read = '';
  for await (const event of await anthropic.messages.create({ ...ask, stream: true })) {
    if (event.type === 'content_block_start') read += JSON.stringify(event.content_block);
    if (event.type === 'content_block_delta')
      read += Object.entries(event.delta)
        .flatMap(([name, value]) => (name === 'type' ? [] : [value]))
        .join('');
  }
  expect(read).not.toContain('canary7f3a');
  expect(read).toContain('Ask [EMAIL] or so');
  expect(read).toContain('{"to":"[EMAIL]"}');
  expect(read).toContain('From [EMAIL]');
});
