import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createRedactor } from '../../src/lib/redact.ts';
import { DEFAULT_REDACT_KEYS, REDACTED } from '../../src/lib/sensitive-keys.ts';

const redact = createRedactor(DEFAULT_REDACT_KEYS);
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** A sensitive name as somebody might spell it. */
const spelling = fc
  .tuple(fc.constantFrom(...DEFAULT_REDACT_KEYS), fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }))
  .chain(([key, upper]) =>
    fc.constantFrom('-', '_', '', ' ', '__', '\u2010', '\u200b').map((separator) =>
      [...key]
        .map((char, i) => (upper[i] ? char.toUpperCase() : char))
        .join('')
        .replace(/[-_]/g, separator),
    ),
  );

/** Puts a value under random objects and arrays. */
const wrap = (value: unknown, layers: readonly (string | number)[]): unknown => {
  let result = value;
  for (const layer of layers) {
    result =
      typeof layer === 'number'
        ? [...Array(layer).fill(0), result]
        : JSON.parse(`{${JSON.stringify(layer)}: ${JSON.stringify(result)}}`);
  }
  return result;
};
const layers = fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.string()), { maxLength: 60 });

describe('createRedactor', () => {
  test.each(['slk', 'slt'])('redacts a whole %s_ secret in text under any key', (kind) => {
    const secret = `${kind}_${'0123456789abcdef'.repeat(4)}`;
    const given = { note: `sent with Bearer ${secret}, twice: ${secret}`, list: [[secret], { at: secret }] };
    expect(asJson(redact(given))).toEqual({
      note: `sent with Bearer ${REDACTED}, twice: ${REDACTED}`,
      list: [[REDACTED], { at: REDACTED }],
    });
    expect(redact(secret.toUpperCase())).toBe(REDACTED);
    expect(redact({ prefix: secret.slice(0, 16), short: secret.slice(0, -1) })).toEqual({
      prefix: secret.slice(0, 16),
      short: secret.slice(0, -1),
    });
  });

  test.each([
    'password',
    'PASSWORD',
    'api_key',
    'api-key',
    'apiKey',
    'API KEY',
    'ApiKey',
    '_api__key_',
    'set-cookie',
    'Set_Cookie',
    'setCookie',
    'ｐａｓｓｗｏｒｄ',
    'pass\u200bword',
    'pässword',
    'api\u2010key',
    'api\u00a0key',
    'to\u212aen',
  ])('redacts the value of %p', (key) => {
    expect(asJson(redact({ [key]: 'hunter2', n: 1 }))).toEqual({ [key]: REDACTED, n: 1 });
  });

  test.each(['tokens', 'input_tokens', 'passwords', 'secretary', 'cookies', 'key', 'pass', 'p.assword', ''])(
    'leaves %p alone',
    (key) => {
      expect(asJson(redact({ [key]: 'x' }))).toEqual({ [key]: 'x' });
    },
  );

  test('no sensitive value survives, however its key is spelt and wherever it is', () => {
    fc.assert(
      fc.property(spelling, fc.jsonValue(), layers, (key, value, path) => {
        const secret = { [key]: ['SECRET-4711', value], kept: 'KEPT-4711' };
        const text = JSON.stringify(redact(wrap(secret, path)));
        expect(text).not.toContain('SECRET-4711');
        expect(text).toContain(REDACTED);
      }),
      { numRuns: 1000 },
    );
  });

  test('keeps everything else, and does not change its argument', () => {
    const ordinary = createRedactor(['no such key']);
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        const before = JSON.stringify(value);
        expect(JSON.stringify(ordinary(value))).toBe(before);
        redact(value);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });

  test('keeps __proto__ and constructor as plain keys and looks inside them', () => {
    const value: unknown = JSON.parse(
      '{"__proto__":{"token":"t","a":1},"constructor":{"prototype":{"ssn":1}}}',
    );
    const result = redact(value) as object;
    expect(Object.getPrototypeOf(result)).toBeNull();
    expect(JSON.stringify(result)).toBe(
      '{"__proto__":{"token":"[REDACTED]","a":1},"constructor":{"prototype":{"ssn":"[REDACTED]"}}}',
    );
    expect(({} as { token?: unknown }).token).toBeUndefined();
  });

  test('redacts values nested too deep to check, without a stack overflow', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5000)}{"password":"SECRET"}${'}'.repeat(5000)}`);
    expect(JSON.stringify(redact(deep))).not.toContain('SECRET');
  });

  test('redacts only sensitive values down to 50 levels', () => {
    const deep = wrap({ password: 'SECRET', kept: 1 }, Array(50).fill('a'));
    expect(asJson(redact(deep))).toEqual(wrap({ password: REDACTED, kept: 1 }, Array(50).fill('a')));
  });

  test('handles a circular reference', () => {
    const loop: Record<string, unknown> = { password: 'SECRET', n: 1 };
    loop.again = [loop, loop];
    expect(asJson(redact(loop))).toEqual({ password: REDACTED, n: 1, again: [REDACTED, REDACTED] });
  });

  test('converts dates as JSON does, and checks the result of toJSON', () => {
    const at = new Date(0);
    expect(asJson(redact({ at, user: { toJSON: () => ({ token: 'SECRET', id: 1 }) } }))).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      user: { token: REDACTED, id: 1 },
    });
  });

  test.each([null, 1, 'password', true, undefined])('returns %p unchanged', (value) => {
    expect(redact(value)).toBe(value);
  });

  test('uses its own list instead of the default one', () => {
    const own = createRedactor(['Phone-Number']);
    expect(asJson(own({ phone_number: 1, password: 'x' }))).toEqual({
      phone_number: REDACTED,
      password: 'x',
    });
  });

  test('stays correct after many different keys', () => {
    for (let i = 0; i < 5000; i++) redact({ [`key ${i}`]: 1 });
    expect(asJson(redact({ password: 'x', 'key 1': 2 }))).toEqual({ password: REDACTED, 'key 1': 2 });
  });
});
