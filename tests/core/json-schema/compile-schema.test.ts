import { describe, expect, test } from 'bun:test';
import { compileSchema } from '../../../src/core/json-schema/index.ts';
import { SLOW_PATTERN, slowText } from '../../fairness/slow-pattern.ts';

const answer = {
  type: 'object',
  properties: {
    score: { type: 'number', minimum: 0, maximum: 1 },
    tag: { type: 'string', pattern: '^[a-z]+$', format: 'email' },
    kids: { type: 'array', items: { $ref: '#' } },
  },
  required: ['score'],
  additionalProperties: false,
};

describe('a JSON Schema', () => {
  test('accepts what matches it, and names each place that does not', () => {
    const check = compileSchema(answer);
    expect(check({ score: 1, kids: [{ score: 0 }] })).toBeNull();
    expect(check({ kids: [] })).toMatch(/score/);
    expect(check({ score: 2, kids: [{ score: 'x' }], more: 1 })).toBe(
      '/score: 2 is greater than 1; /kids/0/score: Instance type "string" is invalid. Expected "number"; /more: False boolean schema',
    );
  });

  test('checks patterns beside formats, in linear time', () => {
    const check = compileSchema(answer);
    expect(check({ score: 1, tag: 'x@example.com' })).toMatch(/pattern \^\[a-z\]\+\$/);
    expect(check({ score: 1, tag: 'abc' })).toMatch(/email/);
    expect(compileSchema({ pattern: '^(a+)+$' })(`${'a'.repeat(20_000)}!`)).toMatch(/does not match pattern/);
    // A pattern of one schema is unknown to the next.
    expect(compileSchema({ format: 'pattern ^(a+)+$' })('b')).toBeNull();
  });

  test('reads names that objects have anyhow', () => {
    const text = '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}';
    const check = compileSchema(JSON.parse(text));
    expect(check(JSON.parse('{"__proto__":1}'))).toMatch(/__proto__/);
    expect(check({})).toBeNull();
  });
});

describe('a hostile JSON Schema', () => {
  const doubling: Record<string, unknown> = { a40: { type: 'string' } };
  for (let i = 0; i < 40; i++) {
    const next = { $ref: `#/$defs/a${i + 1}` };
    doubling[`a${i}`] = { allOf: [next, next] };
  }
  const many = Array.from({ length: 10_000 }, (_, i) => i);
  const tooMuch: Readonly<Record<string, readonly [object, unknown]>> = {
    'of references that double': [{ $ref: '#/$defs/a0', $defs: doubling }, 'x'],
    'of references in a circle': [{ $ref: '#' }, 1],
    'with many alternatives': [
      { items: { anyOf: many.slice(0, 500).map((value) => ({ const: value })) } },
      many,
    ],
    'with long lists of values': [{ items: { enum: many.slice(0, 8_000) } }, many.map((i) => -1 - i)],
    'that compares all pairs': [{ uniqueItems: true }, many],
    'that compares all pairs of large items': [
      { uniqueItems: true },
      many.slice(0, 400).map((i) => [...many.slice(0, 400), i]),
    ],
    'that compares all pairs again and again': [
      { allOf: many.slice(0, 1_500).map(() => ({ uniqueItems: true })) },
      many.slice(0, 500),
    ],
    'that compares a large value again and again': [
      {
        $defs: { a: { const: many.slice(0, 5_000) } },
        items: { anyOf: many.slice(0, 900).map(() => ({ $ref: '#/$defs/a' })) },
      },
      many.slice(0, 50).map((i) => [...many.slice(0, 4_999), -1 - i]),
    ],
    'with a pattern that takes a minute': [{ pattern: SLOW_PATTERN }, slowText(300_000)],
  };
  for (const [name, [schema, value]] of Object.entries(tooMuch))
    test(`${name} gives up early`, () => {
      expect(compileSchema(schema)(value)).toMatch(/too (large|many)/);
    });

  const refused: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    'no object': [[], /must be a JSON object/],
    'an address of another server': [{ $ref: 'http://169.254.169.254/' }, /nothing at http/],
    'an invalid pattern': [{ pattern: '(' }, /is not valid/],
    lookaround: [{ pattern: '(?=a)' }, /lookaround/],
    'a pattern that is too large': [{ pattern: '(\\w{999})?'.repeat(9) }, /too large: .* of 3,000/],
    'many large patterns': [
      { allOf: Array.from({ length: 5 }, (_, i) => ({ pattern: `${i}[ab]{900}(?:x|y){400}z{600}` })) },
      /too large together/,
    ],
    patternProperties: [{ patternProperties: { '^(a+)+$': {} } }, /not supported/],
    'keywords of another kind': [{ properties: { a: { enum: 4 } } }, /value of enum/],
    'a hundred thousand characters': [{ const: 'x'.repeat(100_000) }, /characters/],
    'fifty levels': [
      Array.from({ length: 50 }).reduce<object>((inner) => ({ items: inner }), {}),
      /nested deeper/,
    ],
  };
  for (const [name, [schema, says]] of Object.entries(refused))
    test(`with ${name} is refused`, () => {
      expect(() => compileSchema(schema)).toThrow(says);
    });
});
