import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { createSensitive, DEFAULT_REDACT_KEYS, REDACTED } from '../../src/lib/sensitive-keys.ts';
import { type Mask, normalizePrompt, wrapOpenAI } from '../../src/sdk/index.ts';
import { FIELD_LIMITS, OMITTED, snapshot } from '../../src/sdk/send/snapshot.ts';
import { linesOf, openSdkWorld, type SdkWorld } from './world.ts';

const sensitive = createSensitive(DEFAULT_REDACT_KEYS);
const redact = (value: unknown): unknown => snapshot(value, FIELD_LIMITS, { hide: sensitive });

const SECRET = 'the-secret-value';

describe('redaction', () => {
  test('no listed key keeps its value at great depth, in objects with toJSON, or under a key like __proto__', () => {
    let deep: unknown = { password: SECRET };
    for (let i = 0; i < 5_000; i++) deep = i % 2 === 0 ? { a: deep } : [deep];
    const dressed = { toJSON: () => ({ toJSON: () => ({ Authorization: SECRET }) }) };
    const proto = JSON.parse(`{"__proto__":{"password":"${SECRET}"},"ok":1}`);
    const wide = JSON.parse(`{"ｐａｓｓｗｏｒｄ":"${SECRET}"}`);
    const text = JSON.stringify(redact({ deep, dressed, proto, wide, date: new Date(0) }));
    expect(text).not.toContain(SECRET);
    expect(text).toContain('1970-01-01T00:00:00.000Z');
    expect(text).toContain(OMITTED);
  });

  test('circular references, getters, proxies and huge values neither hang nor throw', () => {
    const cycle: Record<string, unknown> = { n: 1 };
    cycle.self = cycle;
    const endless = (): object => ({
      get next() {
        return endless();
      },
    });
    const hostile = {
      cycle,
      big: 10n,
      half: '\ud800',
      nan: Number.NaN,
      fn: () => {},
      get thrower(): never {
        throw new Error('no');
      },
      endless: endless(),
      proxy: new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no');
          },
        },
      ),
      json: {
        toJSON: () => {
          throw new Error('no');
        },
      },
      giant: Array.from({ length: 200_000 }, (_, i) => ({ i })),
      text: 'x'.repeat(5_000_000),
      bytes: new Uint8Array(1_000_000),
      map: new Map([['password', SECRET]]),
    };
    const text = JSON.stringify(redact(hostile));
    expect(text.length).toBeLessThan(200_000);
    expect(JSON.parse(text)).toMatchObject({
      cycle: { n: 1, self: OMITTED },
      thrower: OMITTED,
      big: '10',
      half: '\ufffd',
    });
  });
});

describe('on the wire', () => {
  let world: SdkWorld;
  beforeEach(async () => {
    world = await openSdkWorld();
  });
  afterEach(() => world.close());
  const wire = (): string => world.sent.flatMap(linesOf).join();

  test('prompt and completion stay in the process', async () => {
    const secret = 'PROMPT-TEXT';
    const reply = {
      model: 'gpt-4o',
      choices: [{ message: { content: 'COMPLETION-TEXT' }, finish_reason: 'stop' }],
    };
    const fetch = async () => Response.json(reply);
    const openai = wrapOpenAI(new OpenAI({ apiKey: 'sk-KEY', fetch }), world.client);
    await openai.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content: secret }] });
    world.client.track({ provider: 'openai', model: 'gpt-4o', input: secret, output: 'COMPLETION-TEXT' });
    expect(await world.events()).toHaveLength(2);
    expect(wire()).not.toMatch(/PROMPT-TEXT|COMPLETION-TEXT|sk-KEY/);
  });

  test('tracked data is copied at once and redacted before it leaves', async () => {
    const tags = { team: 'a', API_KEY: SECRET };
    world.client.track({ provider: 'openai', model: 'gpt-4o', tags, metadata: { cookie: SECRET } });
    tags.team = 'b';
    expect(await world.events()).toMatchObject([
      { tags: { team: 'a', API_KEY: REDACTED }, metadata: { cookie: REDACTED } },
    ]);
    expect(wire()).not.toContain(SECRET);
  });

  test('the list can be extended, and replaced', async () => {
    await world.close();
    world = await openSdkWorld({ redact: ['iban'] });
    world.client.track({ kind: 'span', tags: { iban: SECRET, password: SECRET } });
    await world.client.flush();
    expect(wire()).not.toContain(SECRET);
    await world.close();
    world = await openSdkWorld({ redact: { replace: ['iban'] } });
    world.client.track({ kind: 'span', tags: { iban: SECRET, password: 'kept' } });
    await world.client.flush();
    expect(wire()).not.toContain(SECRET);
    expect(wire()).toContain('"password":"kept"');
  });

  describe('a mask', () => {
    const open = async (mask: Mask) => {
      await world.close();
      world = await openSdkWorld({ storePrompts: true, remoteConfig: false, mask });
      return world;
    };
    const event = {
      provider: 'openai',
      model: 'gpt-4o',
      name: 'ada@example.com',
      error_message: 'for ada@example.com',
      user_id: 'ada@example.com',
      status: 'error' as const,
      tags: { 'ada@example.com': ['ada@example.com', 3] },
      metadata: { deep: [{ mail: 'ada@example.com' }] },
      usage: { service_tier: 'ada@example.com' },
      input: [{ role: 'user', content: 'I am ada@example.com' }],
      output: 'Hello ada@example.com',
    };

    test('changes every text once before it leaves, and knows its field', async () => {
      const seen: string[] = [];
      const { client } = await open((text, field) => {
        seen.push(field);
        return text.replace('ada@example.com', '<ada@example.com>');
      });
      client.track(event);
      expect(await world.events()).toMatchObject([{ user_id: '<ada@example.com>' }]);
      const line = JSON.parse(world.sent.flatMap(linesOf)[0] ?? '');
      expect(line).toMatchObject({
        name: '<ada@example.com>',
        error_message: 'for <ada@example.com>',
        tags: { 'ada@example.com': ['<ada@example.com>', 3] },
        metadata: { deep: [{ mail: '<ada@example.com>' }] },
        usage: { service_tier: 'ada@example.com' },
        input: [{ role: 'user', content: 'I am <ada@example.com>' }],
        output: 'Hello <ada@example.com>',
        model: 'gpt-4o',
      });
      expect(new Set(seen)).toEqual(
        new Set(['name', 'error_message', 'user_id', 'tags', 'metadata', 'input', 'output']),
      );
    });

    test('that throws or gives no text leaves no text, and is reported once per event', async () => {
      const { client, problems } = await open((text) => {
        if (text.startsWith('I am')) return undefined as unknown as string;
        throw new Error('broken');
      });
      client.track(event);
      client.track({ provider: 'openai', model: 'gpt-4o', metadata: { n: 1 } });
      expect(await world.events()).toHaveLength(2);
      const line = JSON.parse(world.sent.flatMap(linesOf)[0] ?? '');
      expect(JSON.stringify({ ...line, usage: null, tags: Object.values(line.tags) })).not.toContain('ada@');
      expect(line).toMatchObject({ output: REDACTED, user_id: REDACTED, model: 'gpt-4o' });
      expect(problems.map(({ kind }) => kind)).toEqual(['mask']);
      expect(problems[0]?.message).toContain('broken');
    });

    test('sees a text before it is cut, also in a prompt that is too large', async () => {
      const { client } = await open((text) => text.replaceAll('SECRET', '-'));
      const text = 'SECRET'.repeat(60_000);
      client.track({ ...event, metadata: { text }, input: Array.from({ length: 200 }, () => ({ text })) });
      await client.flush();
      const line = JSON.parse(world.sent.flatMap(linesOf)[0] ?? '');
      expect(line.metadata.text).toMatch(/^-+…?$/);
      expect(line.input).toMatch(/^\[\{"text":"-+…?"/);
      expect(line.input).not.toContain('S');
    });
  });

  test('events with odd numbers, invalid text and huge prompts are still stored', async () => {
    await world.close();
    world = await openSdkWorld({ storePrompts: true, remoteConfig: false });
    const messages = Array.from({ length: 2_000 }, (_, i) => ({
      role: 'user',
      content: `${i} \ud800 ${'x'.repeat(900)}`,
    }));
    const odd = {
      latency_ms: Number.NaN,
      ttft_ms: -1,
      input_tokens: 3.7,
      error_message: 'x'.repeat(50_000),
      user_id: 'a\0b',
    };
    const metadata = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]));
    world.client.track({
      provider: 'openai',
      model: 'gpt-4o',
      ...odd,
      metadata,
      tags: metadata,
      input: messages,
    });
    expect(await world.events()).toMatchObject([{ input_tokens: 3, latency_ms: null, user_id: 'a\ufffdb' }]);
    expect(world.problems).toEqual([]);
  });
});

describe('the hash of a prompt', () => {
  const hashed = '[{"content":"Be brief.","role":"system"},{"content":"Hi\\nthere","role":"user"}]';
  test('depends on the words and not on a provider’s format', () => {
    const user = { role: 'user', content: 'Hi\nthere' };
    for (const prompt of [
      { messages: [{ role: 'developer', content: ' Be brief. ' }, user] },
      { messages: 'Hi\r\nthere', system: 'Be brief.' },
      {
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi\nthere ' }] }],
        system: [{ type: 'text', text: 'Be brief.' }],
      },
      {
        messages: [{ content: [{ type: 'input_text', text: 'Hi\nthere' }], role: 'user' }],
        system: 'Be brief.',
      },
    ]) {
      expect(normalizePrompt(prompt)).toBe(hashed);
    }
  });

  test('is of the messages at the start of the call', async () => {
    const world = await openSdkWorld();
    const messages: { role: string; content: string }[] = [{ role: 'user', content: 'Hi' }];
    const call = world.client.startCall({ provider: 'x', model: 'y' }, { messages });
    messages.push({ role: 'assistant', content: 'Hello' });
    call.end();
    const expected = new Bun.CryptoHasher('sha256').update('[{"content":"Hi","role":"user"}]').digest('hex');
    expect((await world.events())[0]?.prompt_hash).toBe(expected);
    await world.close();
  });
});
