import { describe, expect, test } from 'bun:test';
import { readJsonSchema } from '../../../src/lib/detect/content/json-schema.ts';
import { compilePattern, TimeLimitError } from '../../../src/lib/detect/content/pattern.ts';
import { TEST_SEED } from '../../helpers/random.ts';
import { fuzzChecks } from './fuzz.ts';

test('no random text holds up the process, and none stays in its memory', () => {
  const report = fuzzChecks(TEST_SEED, 1_000);
  expect(report.slowest, `seed ${TEST_SEED}: ${JSON.stringify(report.text)}`).toBeLessThan(50);
  expect(report.grownBytes, `seed ${TEST_SEED}`).toBeLessThan(4_000_000);
});

describe('patterns of users', () => {
  test('backtracking does not exist, and what RE2 has not is refused', () => {
    const text = `${'a'.repeat(50_000)}!`;
    expect(compilePattern('(a+)+$').find(text, 1_000)).toEqual([]);
    expect(compilePattern('(a|aa)+b').find(text, 1_000)).toEqual([]);
    expect(() => compilePattern('(?=x)')).toThrow();
    expect(() => compilePattern('(a)\\1')).toThrow();
    expect(() => compilePattern('[')).toThrow();
  });

  test('places, flags, and empty matches', () => {
    expect(compilePattern('order-\\d+', 'i').find('an Order-12, order-3', 50)).toEqual([
      { type: 'pattern', start: 3, end: 11, confidence: 1 },
      { type: 'pattern', start: 13, end: 20, confidence: 1 },
    ]);
    expect(compilePattern('x*').find('abc', 50)).toEqual([]);
  });

  test('a long text is searched in pieces, across their borders, within a time', () => {
    const text = `${'.'.repeat(65_530)}order-1234567${'.'.repeat(100_000)}order-7`;
    const places = compilePattern('order-\\d+').find(text, 10_000);
    expect(places.map(({ start, end }) => text.slice(start, end))).toEqual(['order-1234567', 'order-7']);
    expect(() => compilePattern('order-\\d+').find(text, -1)).toThrow(TimeLimitError);
  });
});

describe('JSON Schemas of users', () => {
  const problems = (schema: Record<string, unknown>, value: unknown) =>
    readJsonSchema(schema)
      .check(value)
      .map(({ path, keyword }) => `${path} ${keyword}`);

  test('say where a value does not fit', () => {
    const schema = {
      type: 'object',
      required: ['name', 'age'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', minLength: 2, pattern: '^[A-Z]' },
        age: { type: 'integer', minimum: 0 },
        tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2, uniqueItems: true },
        next: { $ref: '#' },
        kind: { oneOf: [{ const: 'x' }, { type: 'number', multipleOf: 0.1 }] },
      },
    };
    expect(
      problems(schema, { name: 'Ann', age: 3, tags: ['a'], next: { name: 'Bob', age: 1 }, kind: 0.3 }),
    ).toEqual([]);
    expect(problems(schema, { name: 'x', age: -1.5, tags: ['a', 'a', 'c'], other: 1 })).toEqual([
      '/name minLength',
      '/name pattern',
      '/age type',
      '/age minimum',
      '/tags maxItems',
      '/tags uniqueItems',
      '/tags/2 enum',
      ' additionalProperties',
    ]);
    expect(problems(schema, { next: { name: 'Bob' } })).toEqual([' required', ' required', '/next required']);
    expect(
      problems(JSON.parse('{"if":{"type":"string"},"then":{"minLength":3},"else":{"type":"null"}}'), 'ab'),
    ).toEqual([' minLength']);
    expect(problems({ not: { type: 'string' }, anyOf: [{ type: 'number' }] }, 'ab')).toEqual([
      ' anyOf',
      ' not',
    ]);
    expect(
      problems({ prefixItems: [{ type: 'string' }], items: false, contains: { const: 1 } }, ['a', 2]),
    ).toEqual(['/1 false', ' contains']);
  });

  test('cannot hold up the process, and what is not understood is refused', () => {
    const nested = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `d${i}`,
        { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    );
    const schema = { $defs: { ...nested, d40: false }, $ref: '#/$defs/d0' };
    expect(() => readJsonSchema(schema).check(1)).toThrow(TimeLimitError);
    expect(() => readJsonSchema({ $ref: '#' }).check(1)).toThrow(TimeLimitError);
    expect(() => readJsonSchema({ unevaluatedProperties: false })).toThrow('not supported');
    expect(() => readJsonSchema({ $ref: 'https://x.test/schema' })).toThrow('inside of the schema');
    expect(() => readJsonSchema({ pattern: '(?=x)' })).toThrow();
    expect(readJsonSchema({ pattern: '^(a+)+$' }).check(`${'a'.repeat(5_000)}!`)).toHaveLength(1);
  });
});
