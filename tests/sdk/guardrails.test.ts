import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import OpenAI7 from 'openai-7';
import { createGuardrails, GuardrailError, type Guardrails } from '../../src/sdk/guardrails.ts';
import { createClient, wrapAnthropic, wrapOpenAI } from '../../src/sdk/index.ts';
import { type MockProvider, startProvider } from './mock-provider.ts';
import { openSdkWorld, type SdkWorld } from './world.ts';

const MAIL = 'canary7f3a@example.com';
let world: SdkWorld;
let provider: MockProvider;
let guardrails: Guardrails;
beforeAll(() => {
  provider = startProvider();
});
afterAll(() => provider.stop());
beforeEach(async () => {
  provider.reset();
  world = await openSdkWorld();
  await define('pii', [{ kind: 'pii', config: { types: ['email'] }, action: 'redact' }]);
  await define('words', [{ kind: 'keywords', config: { words: ['falcon'] }, action: 'block' }]);
  guardrails = createGuardrails(world.client);
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
const completion = (content: string) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
});
const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const ask = (content: string) => ({ model: 'gpt-4o', messages: [{ role: 'user' as const, content }] });
const outcomes = async () =>
  (await world.events())
    .filter(({ kind }) => kind === 'guardrail')
    .map(({ name, operation, tags }) => `${name} ${operation} ${(tags as { guardrail?: string }).guardrail}`);

for (const [name, Client] of [
  ['openai 6', OpenAI],
  ['openai 7', OpenAI7 as unknown as typeof OpenAI],
] as const) {
  describe(name, () => {
    const open = () =>
      wrapOpenAI(new Client({ apiKey: 'x', baseURL: provider.url, maxRetries: 0 }), world.client, {
        guardrails,
      });

    test('what goes out and what comes back is redacted, and the outcome is an event in the trace of the call', async () => {
      provider.will({ json: completion(`Dear ${MAIL}`) });
      const reply = await world.client.trace('job', () =>
        open().chat.completions.create(ask(`I am ${MAIL}`)),
      );
      expect(reply.choices[0]?.message.content).toBe('Dear [EMAIL]');
      expect(provider.seen[0]?.body.messages).toEqual([{ role: 'user', content: 'I am [EMAIL]' }]);
      expect((await outcomes()).sort()).toEqual([
        'pii guardrail.input redact',
        'pii guardrail.output redact',
        'words guardrail.input allow',
        'words guardrail.output allow',
      ]);
      const events = await world.events();
      expect(new Set(events.map(({ trace_id }) => trace_id)).size).toBe(1);
      expect(JSON.stringify(events)).not.toContain('canary7f3a');
    });

    test('what is blocked is not sent, costs nothing and rejects with the typed error', async () => {
      const asked = open().chat.completions.create(ask('project falcon'));
      const error = await asked.then(
        () => null,
        (one: unknown) => one,
      );
      expect(error).toBeInstanceOf(GuardrailError);
      expect(error).toMatchObject({
        stage: 'input',
        guardrails: ['words'],
        message: 'blocked by words (input): keyword',
      });
      expect(provider.seen).toEqual([]);
      const events = await world.events();
      expect(events.map(({ kind }) => kind)).toEqual(['guardrail', 'guardrail']);
      provider.will({ json: completion('the falcon flies') });
      await expect((async () => open().chat.completions.create(ask('bird?')))()).rejects.toThrow(
        'blocked by words (output)',
      );
    });

    test('a streamed reply is checked over the borders of its chunks', async () => {
      const text =
        `Write to ${MAIL}, or wait for a reply from the team, which answers within two days. `.repeat(4);
      const pieces = text.match(/.{1,7}/gs) ?? [];
      provider.will({
        events: [
          chunk({ role: 'assistant', content: '' }),
          ...pieces.map((content) => chunk({ content })),
          chunk({}, 'stop'),
          '[DONE]',
        ],
      });
      let read = '';
      let finish: string | null = null;
      for await (const part of await open().chat.completions.create({ ...ask('hi'), stream: true })) {
        read += part.choices[0]?.delta.content ?? '';
        expect(finish).toBeNull();
        finish = part.choices[0]?.finish_reason ?? null;
      }
      expect(read).toBe(text.replaceAll(MAIL, '[EMAIL]'));
      expect(finish).toBe('stop');
      const events = (await world.events()).filter(({ operation }) => operation === 'guardrail.output');
      expect(events.find((event) => event.name === 'pii')?.metadata).toMatchObject({
        guardrail: { outcome: 'redact', checks: [{ types: { email: 4 } }] },
      });

      provider.will({ events: [...'It is the falcon.'].map((content) => chunk({ content })), stall: true });
      const stream = await open().chat.completions.create({ ...ask('hi'), stream: true });
      let seen = '';
      const reading = (async () => {
        for await (const part of stream) seen += part.choices[0]?.delta.content ?? '';
      })();
      await expect(reading).rejects.toThrow('blocked by words (output)');
      expect(seen).not.toContain('falcon');
    });
  });
}

test('Anthropic: the system prompt, messages and a streamed reply', async () => {
  const anthropic = wrapAnthropic(
    new Anthropic({ apiKey: 'x', baseURL: provider.url, maxRetries: 0 }),
    world.client,
    { guardrails },
  );
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const request = {
    model: 'claude-haiku-4-5',
    max_tokens: 9,
    system: `Bot of ${MAIL}`,
    messages: [{ role: 'user' as const, content: 'hi' }],
  };
  provider.will({ json: { ...message, content: [{ type: 'text', text: `I am ${MAIL}` }] } });
  const reply = await anthropic.messages.create(request);
  expect(reply.content).toMatchObject([{ type: 'text', text: 'I am [EMAIL]' }]);
  expect(provider.seen[0]?.body.system).toBe('Bot of [EMAIL]');
  provider.will({
    named: true,
    events: [
      { type: 'message_start', message: { ...message, content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...[...`I am ${MAIL}.`].map((text) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ],
  });
  const final = await anthropic.messages.stream(request).finalMessage();
  expect(final.content).toMatchObject([{ type: 'text', text: 'I am [EMAIL].' }]);
});

describe('definitions', () => {
  test('are served stale while the server is away, and unknown ones are reported once', async () => {
    let isAway = false;
    const { seed, fetch } = world.app;
    const problems: string[] = [];
    const client = createClient({
      apiKey: seed.apiKey,
      baseUrl: 'http://ledger.test',
      env: {},
      onProblem: ({ message }) => void problems.push(message),
      fetch: async (url, init) => {
        if (isAway) throw new TypeError('away');
        const { pathname, search } = new URL(url);
        return fetch(pathname + search, init as RequestInit);
      },
    });
    const stale = createGuardrails(client, { ttlMs: 0 });
    expect(await stale.apply(MAIL)).toBe('[EMAIL]');
    isAway = true;
    for (let i = 0; i < 3; i++) expect(await stale.apply(MAIL)).toBe('[EMAIL]');
    expect(await createGuardrails(client).apply(MAIL)).toBe(MAIL);
    await expect(createGuardrails(client, { whenUnknown: 'closed' }).apply(MAIL)).rejects.toBeInstanceOf(
      GuardrailError,
    );
    expect(problems.some((message) => message.includes('those in memory are used'))).toBe(true);
    await client.shutdown({ timeoutMs: 1 });
  });

  test('a judge, which only the server asks, follows its failure mode and is reported once', async () => {
    const { seed, fetch } = world.app;
    const checks = [
      { kind: 'judge', config: { instructions: 'No insults', model: 'openai/gpt-4o' }, action: 'block' },
    ];
    for (const [name, failureMode] of [
      ['polite', 'open'],
      ['strict', 'closed'],
    ]) {
      const json = { name, checks, failureMode };
      await fetch(`/v1/guardrails?projectId=${seed.projectId}`, { bearer: seed.bearer, json });
    }
    const open = createGuardrails(world.client, { ttlMs: 0, only: ['polite'] });
    for (let i = 0; i < 3; i++) expect(await open.apply('hi')).toBe('hi');
    const closed = createGuardrails(world.client, { ttlMs: 0, only: ['strict'] });
    for (let i = 0; i < 3; i++) await expect(closed.apply('hi')).rejects.toThrow('blocked by strict (input)');
    const pieces = closed.stream([chunk({ content: 'hi' })].values() as never);
    await expect((async () => pieces.next())()).rejects.toThrow('blocked by strict (output)');
    const problems = world.problems.map(({ kind, message }) => `${kind}: ${message}`);
    const told = (name: string) => problems.filter((one) => one.includes(name));
    expect(told('polite')).toEqual([expect.stringMatching(/^configuration: .*not asked here/)]);
    expect(told('strict')).toEqual([expect.stringMatching(/^configuration: .*each text is blocked/)]);
    expect((await outcomes()).filter((one) => one.startsWith('strict'))).toEqual([
      ...Array.from({ length: 3 }, () => 'strict guardrail.input block'),
      'strict guardrail.output block',
    ]);
  });

  test('a name that no enabled guardrail has is reported once', async () => {
    const misspelt = createGuardrails(world.client, { ttlMs: 0, only: ['pii', 'wrods'] });
    for (let i = 0; i < 3; i++) expect(await misspelt.apply(MAIL)).toBe('[EMAIL]');
    expect(world.problems).toMatchObject([
      { kind: 'configuration', message: expect.stringContaining('no enabled guardrail wrods') },
    ]);
  });

  test('wrappers take names: they load the checks at the first call', async () => {
    const openai = wrapOpenAI(
      new OpenAI({ apiKey: 'x', baseURL: provider.url, maxRetries: 0 }),
      world.client,
      { guardrails: ['pii'] },
    );
    provider.will({ json: completion(`Dear ${MAIL}`) });
    const reply = await world.client.trace('job', () =>
      openai.chat.completions.create(ask(`falcon ${MAIL}`)),
    );
    expect(reply.choices[0]?.message.content).toBe('Dear [EMAIL]');
    expect(provider.seen[0]?.body.messages).toEqual([{ role: 'user', content: 'falcon [EMAIL]' }]);
    expect((await outcomes()).sort()).toEqual(['pii guardrail.input redact', 'pii guardrail.output redact']);
    expect(new Set((await world.events()).map(({ trace_id }) => trace_id)).size).toBe(1);
    provider.will({
      events: [...`I am ${MAIL}.`].map((content) => chunk({ content })).concat(chunk({}, 'stop')),
    });
    let read = '';
    for await (const part of await openai.chat.completions.create({ ...ask('hi'), stream: true }))
      read += part.choices[0]?.delta.content ?? '';
    expect(read).toBe('I am [EMAIL].');
    const anthropic = wrapAnthropic(
      new Anthropic({ apiKey: 'x', baseURL: provider.url, maxRetries: 0 }),
      world.client,
      { guardrails: ['words'] },
    );
    const sent = provider.seen.length;
    const asked = anthropic.messages.create({
      model: 'claude-haiku-4-5',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'falcon' }],
    });
    await expect((async () => asked)()).rejects.toBeInstanceOf(GuardrailError);
    expect(provider.seen).toHaveLength(sent);
  });

  test('only those of some names look, and a check by hand gives the verdict', async () => {
    const some = createGuardrails(world.client, { only: ['pii'] });
    const { action, content, results } = await some.check([{ role: 'user', content: `falcon ${MAIL}` }]);
    expect([action, content]).toEqual(['redact', [{ role: 'user', content: 'falcon [EMAIL]' }]]);
    expect(results).toHaveLength(1);
    await expect(guardrails.apply('falcon', { stage: 'output' })).rejects.toThrow(GuardrailError);
  });
});
