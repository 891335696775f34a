import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EVENT_KINDS, EVENT_STATUSES } from '../../../src/core/events/contract.ts';
import { eventInputSchema } from '../../../src/core/events/input/contract.ts';
import { type ParseContext, type ParseResult, parseEvent } from '../../../src/core/events/parse-event.ts';
import { createRedactor } from '../../../src/lib/redact.ts';
import { DEFAULT_REDACT_KEYS } from '../../../src/lib/sensitive-keys.ts';

const now = Date.UTC(2026, 5, 15, 12);
const ctx: ParseContext = { redact: createRedactor(DEFAULT_REDACT_KEYS), storePrompts: false, now };
const call = { provider: 'openai', model: 'gpt-4o' };
/** Through JSON text, as events come: only so can a key be called `__proto__`. */
const parseText = (text: string, within = ctx): ParseResult => parseEvent(JSON.parse(text), within);
const parse = (fields: object, within = ctx): ParseResult =>
  parseText(JSON.stringify({ ...call, ...fields }), within);
const eventOf = (result: ParseResult) => {
  if (!result.ok) throw new Error(result.error);
  return result.event;
};
const errorOf = (result: ParseResult): string => (result.ok ? 'none' : result.error);
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('parseEvent', () => {
  test('applies defaults to an event with only model and provider', () => {
    const event = eventOf(parse({}));
    expect(event).toEqual({
      event_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      trace_id: expect.stringMatching(/^[\da-f]{32}$/),
      span_id: expect.stringMatching(/^[\da-f]{16}$/),
      ts: now,
      dated: true,
      parent_span_id: null,
      kind: 'llm',
      name: null,
      provider: 'openai',
      model: 'gpt-4o',
      operation: 'chat',
      status: 'success',
      error_code: null,
      error_message: null,
      latency_ms: null,
      ttft_ms: null,
      input_tokens: 0,
      output_tokens: 0,
      cached_input_tokens: 0,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      cost_usd: null,
      stream: false,
      environment: 'production',
      user_id: null,
      session_id: null,
      agent: null,
      agent_version: null,
      tool: null,
      release: null,
      prompt_name: null,
      prompt_version: null,
      prompt_hash: null,
      sdk_version: null,
      finish_reason: null,
      tags: null,
      metadata: null,
      usage: null,
      input: null,
      output: null,
    });
    const again = eventOf(parse({}));
    expect(again.event_id).not.toBe(event.event_id);
    expect(again.trace_id).not.toBe(event.trace_id);
    expect(again.span_id).not.toBe(event.span_id);
  });

  test('keeps every field as it is sent', () => {
    const sent = {
      trace_id: 'my trace',
      span_id: 'A1',
      parent_span_id: 'A0',
      kind: 'embedding',
      name: 'n',
      provider: 'p',
      model: 'm',
      operation: 'embeddings',
      status: 'rate_limited',
      error_code: '429',
      error_message: 'slow down 😀',
      latency_ms: 12.75,
      ttft_ms: 0.5,
      input_tokens: 1,
      output_tokens: 2,
      cached_input_tokens: 3,
      cache_write_tokens: 4,
      reasoning_tokens: 5,
      cost_usd: 0.000123,
      stream: true,
      environment: 'staging',
      user_id: 'u',
      session_id: 's',
      agent: 'a',
      agent_version: '1.2',
      tool: 't',
      release: 'r',
      prompt_name: 'pn',
      prompt_version: '3',
      prompt_hash: 'ph',
      sdk_version: '1.2.3',
      finish_reason: 'stop',
      tags: { a: [1, { b: null }] },
      metadata: { c: 'd' },
      usage: { prompt_tokens: 1 },
    };
    const id = '018F6F3A-0000-7000-8000-00000000ABCD';
    const event = eventOf(parse({ ...sent, event_id: id, timestamp: '2026-06-15T13:00:00.5+01:00' }));
    const { event_id, ts, dated, input, output, ...rest } = event;
    expect(asJson(rest)).toEqual(sent);
    expect({ event_id, ts, dated }).toEqual({ event_id: id.toLowerCase(), ts: now + 500, dated: true });
    expect([input, output]).toEqual([null, null]);
  });

  test.each<[string, object, Record<string, unknown>]>([
    [
      'null as absent',
      { status: null, stream: null, input_tokens: null, tags: null, timestamp: null },
      { status: 'success', stream: false, input_tokens: 0, tags: null, dated: true },
    ],
    ['null in every id', { event_id: null, trace_id: null, span_id: null }, { dated: true }],
    ['an id without a timestamp', { event_id: '0b8e4c1e-9c1b-4c83-8d5a-111111111111' }, { dated: false }],
    [
      'content under other names',
      { prompt: 'x', messages: [1], region: 'eu' },
      { metadata: { region: 'eu' } },
    ],
    [
      'empty text as absent',
      { user_id: '', operation: '', environment: '' },
      { user_id: null, operation: 'chat', environment: 'production' },
    ],
    [
      'empty objects as absent',
      { tags: {}, metadata: {}, usage: {} },
      { tags: null, metadata: null, usage: null },
    ],
    ['12.0 as 12', { input_tokens: 12.0 }, { input_tokens: 12 }],
    ['the largest count', { input_tokens: 1e9 }, { input_tokens: 1_000_000_000 }],
    [
      'a span without a model',
      { kind: 'tool', model: null, provider: null },
      { kind: 'tool', model: null, provider: null },
    ],
    [
      'a span with an empty model',
      { kind: 'span', model: '', provider: '' },
      { model: null, provider: null },
    ],
    ['a day ahead', { timestamp: '2026-06-16T12:00:00Z' }, { ts: now + 86_400_000, dated: true }],
    ['ten years back', { timestamp: '2016-06-15T12:00:00Z' }, { ts: Date.UTC(2016, 5, 15, 12) }],
    ['a bare date', { timestamp: '2026-06-01' }, { ts: Date.UTC(2026, 5, 1) }],
    ['the longest name', { name: 'x'.repeat(500) }, { name: 'x'.repeat(500) }],
    ['whole surrogate pairs', { user_id: '😀' }, { user_id: '😀' }],
  ])('takes %s', (_, fields, expected) => {
    expect(eventOf(parse(fields))).toMatchObject(expected);
  });

  test('turns -0 into 0', () => {
    const text =
      '{"provider":"p","model":"m","latency_ms":-0,"input_tokens":-0.0,"cost_usd":-0,"output_tokens":12.0}';
    const event = eventOf(parseText(text));
    expect(Object.is(event.latency_ms, 0)).toBe(true);
    expect(Object.is(event.input_tokens, 0)).toBe(true);
    expect(Object.is(event.cost_usd, 0)).toBe(true);
    expect(event.output_tokens).toBe(12);
  });

  const text = (max: number): string => `a string of at most ${max} characters without NUL`;
  const tokens = 'a whole number from 0 to 1000000000';
  test.each<[object, string]>([
    [{ status: 'ok' }, 'status must be one of success, error, timeout, rate_limited, cancelled, got "ok"'],
    [{ status: 0 }, 'status must be one of success, error, timeout, rate_limited, cancelled, got 0'],
    [
      { kind: 'LLM' },
      'kind must be one of llm, embedding, tool, agent, chain, retrieval, guardrail, span, got "LLM"',
    ],
    [{ model: 5 }, `model must be ${text(300)}, got 5`],
    [{ model: ['gpt'] }, `model must be ${text(300)}, got an array`],
    [{ model: 'x'.repeat(301) }, `model must be ${text(300)}, got 301 characters`],
    [{ model: '' }, 'model is required for an event of kind llm'],
    [{ model: ' ' }, 'model is required for an event of kind llm'],
    [
      { model: null, provider: null },
      'model is required for an event of kind llm; provider is required for an event of kind llm',
    ],
    [{ kind: 'embedding', provider: null }, 'provider is required for an event of kind embedding'],
    [{ user_id: 'a\0b' }, `user_id must be ${text(500)}, got one with NUL`],
    [{ trace_id: '' }, 'trace_id must be a string of 1 to 128 characters without NUL, got 0 characters'],
    [{ event_id: 'abc' }, 'event_id must be a UUID, got "abc"'],
    [{ event_id: 7 }, 'event_id must be a UUID, got 7'],
    [{ input_tokens: 12.5 }, `input_tokens must be ${tokens}, got 12.5`],
    [{ input_tokens: -1 }, `input_tokens must be ${tokens}, got -1`],
    [{ input_tokens: '12' }, `input_tokens must be ${tokens}, got "12"`],
    [{ output_tokens: 2 ** 53 + 2 }, `output_tokens must be ${tokens}, got 9007199254740994`],
    [{ latency_ms: -0.1 }, 'latency_ms must be a number from 0 to 10000000000, got -0.1'],
    [{ latency_ms: true }, 'latency_ms must be a number from 0 to 10000000000, got true'],
    [{ cost_usd: 10_001 }, 'cost_usd must be a number from 0 to 10000, got 10001'],
    [{ stream: 'true' }, 'stream must be true or false, got a string'],
    [{ stream: 1 }, 'stream must be true or false, got 1'],
    [{ tags: [] }, 'tags must be a JSON object, got an array'],
    [{ tags: 'password=x' }, 'tags must be a JSON object, got a string'],
    [{ metadata: 3 }, 'metadata must be a JSON object, got 3'],
    [
      { timestamp: 1769860800000 },
      'timestamp must be ISO 8601 like 2026-01-31T12:00:00.000Z, got 1769860800000',
    ],
    [{ timestamp: 'yesterday' }, 'timestamp must be ISO 8601 like 2026-01-31T12:00:00.000Z, got "yesterday"'],
    [{ timestamp: '' }, 'timestamp must be ISO 8601 like 2026-01-31T12:00:00.000Z, got ""'],
    [
      { timestamp: '2026-02-30T00:00:00Z' },
      'timestamp must be ISO 8601 like 2026-01-31T12:00:00.000Z, got "2026-02-30T00:00:00Z"',
    ],
    [
      { timestamp: '2026-06-16T12:00:00.001Z' },
      'timestamp must not be more than a day ahead, got "2026-06-16T12:00:00.001Z"',
    ],
    [
      { timestamp: '2016-06-13T12:00:00Z' },
      'timestamp must not be more than 10 years back, got "2016-06-13T12:00:00Z"',
    ],
    [{ user_id: '\ud800' }, 'user_id contains an unpaired surrogate'],
    [{ tags: { a: ['\udc00'] } }, 'tags.a[0] contains an unpaired surrogate'],
    [{ metadata: { '\ud800': 1 } }, 'metadata has a key that contains an unpaired surrogate'],
    [{ whatever: '\ud800' }, 'whatever contains an unpaired surrogate'],
    [
      { x: 1, _x: 1, metadata: { x: 2, _x: 2, __x: 2 } },
      '"x" is not a known field, and metadata has one of that name',
    ],
  ])('refuses %j', (fields, error) => {
    expect(parse(fields)).toEqual({ ok: false, error: expect.stringContaining(error) });
  });

  test('names up to three faults, in the order of the fields', () => {
    expect(errorOf(parse({ input_tokens: -1, stream: 2, status: 'x', kind: 'y' }))).toBe(
      `input_tokens must be ${tokens}, got -1; stream must be true or false, got 2; ` +
        'status must be one of success, error, timeout, rate_limited, cancelled, got "x"',
    );
  });

  test('says how a list of events is sent', () => {
    const error = 'event must be a JSON object: send each event of a list on a line of its own';
    expect(parseText('[{"provider":"openai","model":"gpt-4o"}]')).toEqual({ ok: false, error });
  });

  test.each(['null', '1', '"x"', 'true'])('refuses %s in place of an event', (value) => {
    expect(parseText(value)).toEqual({ ok: false, error: 'event must be a JSON object' });
  });

  test('refuses numbers too large for a double, in fields and in nested values', () => {
    expect(errorOf(parseText('{"input_tokens":1e400}'))).toBe('input_tokens is a number too large to store');
    expect(errorOf(parseText('{"tags":{"a":[-1e400]}}'))).toBe('tags.a[0] is a number too large to store');
    expect(errorOf(parse({ latency_ms: 1e308 }))).toStartWith('latency_ms must be a number');
  });

  test('refuses more than 1,000 keys and 32 levels', () => {
    const keys = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i]));
    expect(errorOf(parse({ tags: keys }))).toBe('event has more than 1000 keys');
    const deep = `{"tags":${'{"a":'.repeat(32)}1${'}'.repeat(32)}}`;
    expect(errorOf(parseText(deep))).toBe('event is nested deeper than 32 levels');
  });

  test('never repeats more than 80 characters of what was sent', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(eventInputSchema.shape)),
        fc.oneof(
          fc.string({ unit: 'binary', minLength: 60, maxLength: 400 }),
          fc.constant('\u0001'.repeat(300)),
        ),
        (field, value) => {
          const error = errorOf(parse({ [field]: value }));
          expect(error.length).toBeLessThan(240);
          expect(error.isWellFormed()).toBe(true);
          expect(error).not.toContain(value.slice(0, 81).padEnd(81, '?'));
        },
      ),
    );
  });
});

describe('unknown fields', () => {
  test('go to metadata', () => {
    expect(asJson(eventOf(parse({ region: 'eu', n: [1], metadata: { a: 1 } })).metadata)).toEqual({
      a: 1,
      region: 'eu',
      n: [1],
    });
    expect(asJson(eventOf(parse({ region: 'eu' })).metadata)).toEqual({ region: 'eu' });
    expect(eventOf(parse({ region: null })).metadata).toBeNull();
  });

  test('do not overwrite what the sender put there', () => {
    expect(asJson(eventOf(parse({ a: 1, metadata: { a: 'sent' } })).metadata)).toEqual({ a: 'sent', _a: 1 });
    expect(asJson(eventOf(parse({ a: 1, _a: 2, metadata: { a: 'sent' } })).metadata)).toEqual({
      a: 'sent',
      _a: 1,
      __a: 2,
    });
  });

  test('may be called __proto__ or like a method', () => {
    const event = eventOf(
      parseText('{"provider":"p","model":"m","__proto__":{"model":"evil"},"toString":1,"constructor":2}'),
    );
    expect(JSON.stringify(event.metadata)).toBe(
      '{"__proto__":{"model":"evil"},"toString":1,"constructor":2}',
    );
    expect(event.model).toBe('m');
    expect(errorOf(parseText('{"__proto__":{"model":"m","provider":"p"}}'))).toStartWith('model is required');
    const nested = eventOf(
      parseText('{"provider":"p","model":"m","tags":{"__proto__":{"a":1}},"metadata":{"__proto__":2},"x":3}'),
    );
    expect(JSON.stringify([nested.tags, nested.metadata])).toBe(
      '[{"__proto__":{"a":1}},{"__proto__":2,"x":3}]',
    );
  });
});

describe('privacy', () => {
  test('sensitive values are redacted in tags, metadata, usage and unknown fields', () => {
    const secret = { nested: [{ 'API-Key': 'SECRET-4711' }], password: 'SECRET-4711', kept: 1 };
    const event = eventOf(
      parse({ tags: secret, metadata: secret, usage: secret, extra: secret, apiKey: 'SECRET-4711' }),
    );
    expect(JSON.stringify(event)).not.toContain('SECRET-4711');
    expect(event.metadata?.apiKey).toBe('[REDACTED]');
    expect(event.metadata?.extra).toMatchObject({ kept: 1, password: '[REDACTED]' });
    expect(event.tags).toMatchObject({ kept: 1 });
  });

  test('a renamed field is still redacted', () => {
    const event = eventOf(parse({ password: 'SECRET', metadata: { password: 'SECRET' } }));
    expect(asJson(event.metadata)).toEqual({ password: '[REDACTED]', _password: '[REDACTED]' });
  });

  test('prompts are dropped unless the project stores them', () => {
    const prompts = { input: [{ role: 'user', content: 'PROMPT' }], output: 'COMPLETION' };
    const dropped = JSON.stringify(eventOf(parse(prompts)));
    expect(dropped).not.toContain('PROMPT');
    expect(dropped).not.toContain('COMPLETION');
    expect(eventOf(parse(prompts, { ...ctx, storePrompts: true }))).toMatchObject(prompts);
    expect(eventOf(parse({ input: null }, { ...ctx, storePrompts: true })).input).toBeNull();
  });
});

describe('token counts', () => {
  const usage = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 40 } };
  test('come from the usage object if none is sent', () => {
    expect(eventOf(parse({ usage }))).toMatchObject({
      input_tokens: 100,
      output_tokens: 20,
      cached_input_tokens: 40,
      usage,
    });
  });

  test('are the sent ones if any is sent, even 0', () => {
    expect(eventOf(parse({ usage, output_tokens: 0 }))).toMatchObject({
      input_tokens: 0,
      output_tokens: 0,
      cached_input_tokens: 0,
    });
    expect(eventOf(parse({ usage: { foo: 1 } }))).toMatchObject({ input_tokens: 0, output_tokens: 0 });
  });
});

describe('the verdict', () => {
  const names = Object.keys(eventInputSchema.shape);
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      ...EVENT_KINDS,
      ...EVENT_STATUSES,
      '',
      'a\0b',
      0,
      -1,
      1.5,
      1e9,
      1e9 + 1,
      1e10,
      1e11,
      2 ** 53,
    ),
    fc.integer({ min: 90, max: 130 }).map((length) => 'x'.repeat(length)),
    fc.constantFrom(64, 65, 200, 201, 300, 301, 500, 501, 10_000, 10_001).map((length) => 'x'.repeat(length)),
    fc.uuid(),
    fc.constant('ABCDEF01-0000-0000-0000-00000000000A'),
    fc.boolean(),
    fc.dictionary(fc.string(), fc.jsonValue()),
  );
  const fields = fc.dictionary(fc.constantFrom(...names, 'other'), value, { maxKeys: 6 });

  test('on each field is that of eventInputSchema', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), value, (name, sent) => {
        // Beside the schema: time and the fields that a call needs.
        const raw: unknown = JSON.parse(JSON.stringify({ [name]: sent }));
        const error = errorOf(parseEvent(raw, ctx));
        const isTime = typeof sent === 'string' && error.startsWith('timestamp must be ISO');
        const refused = error.startsWith(`${name} must be `) && !isTime;
        expect(refused).toBe(!eventInputSchema.safeParse(raw).success);
      }),
      { numRuns: 5000 },
    );
  });

  test('is never an exception, and an accepted event is always complete', () => {
    fc.assert(
      fc.property(fields, fc.boolean(), (sent, storePrompts) => {
        const result = parse(sent, { ...ctx, storePrompts });
        if (!result.ok) return expect(result.error).toBeTruthy();
        for (const [field, is] of Object.entries(result.event))
          expect([field, is]).not.toEqual([field, undefined]);
        expect(Object.keys(result.event).length).toBe(40);
      }),
      { numRuns: 2000 },
    );
  });

  test('does not modify the input', () => {
    fc.assert(
      fc.property(fields, (sent) => {
        const raw: unknown = JSON.parse(JSON.stringify({ ...call, ...sent, password: 'x' }));
        const before = JSON.stringify(raw);
        parseEvent(raw, { ...ctx, storePrompts: true });
        expect(JSON.stringify(raw)).toBe(before);
      }),
    );
  });
});

describe('fields that a sender may have misspelled', () => {
  const warningsOf = (result: ParseResult): readonly string[] => (result.ok ? result.warnings : []);
  const misspelled: readonly (readonly [string, string])[] = [
    ['inputTokens', 'input_tokens'],
    ['prompt_tokens', 'input_tokens'],
    ['Completion-Tokens', 'output_tokens'],
    ['latency', 'latency_ms'],
    ['userId', 'user_id'],
    ['cost', 'cost_usd'],
    ['input_token', 'input_tokens'],
    ['latncy_ms', 'latency_ms'],
    ['sesion_id', 'session_id'],
    ['enviroment', 'environment'],
    ['outputTokes', 'output_tokens'],
  ];
  test.each(misspelled)('%s is kept as metadata, and the reply names %s', (name, field) => {
    const result = parse({ [name]: 5 });
    expect(eventOf(result).metadata).toEqual({ [name]: 5 });
    expect(warningsOf(result)).toEqual([`"${name}" is not a field and was kept as metadata: send ${field}`]);
  });

  test('what no field is like goes to metadata without a word', () => {
    expect(warningsOf(parse({ constructor: 'acme', toString: 'x' }))).toEqual([]);
    expect(warningsOf(parse({ region: 'eu', prompt_id: 7 }))).toEqual([]);
    expect(warningsOf(parse({ team: 'a', tools: ['b'], node: 1, span_kind: 'c', customer_id: 7 }))).toEqual(
      [],
    );
  });

  const content: readonly (readonly [string, unknown])[] = [
    ['input_messages', [{ role: 'user', content: 'Hello' }]],
    ['messages', [{ role: 'user', content: 'Hello' }]],
    ['completion', 'Hello'],
    ['my_prompt', 'Tell me'],
    ['userQuestion', 'Why?'],
    ['note', 'word '.repeat(60)],
    ['state', { deep: [{ er: 'x'.repeat(201) }] }],
  ];
  test.each(content)('%s is dropped where content is not stored, and kept where it is', (name, value) => {
    const result = parse({ [name]: value });
    expect(eventOf(result).metadata).toBeNull();
    expect(warningsOf(result)).toEqual([expect.stringContaining(`"${name}" was dropped`)]);
    const stored = parse({ [name]: value }, { ...ctx, storePrompts: true });
    expect(asJson(eventOf(stored).metadata)).toEqual({ [name]: value });
  });
});
