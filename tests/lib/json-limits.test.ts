import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EVENT_JSON_LIMITS, jsonProblem } from '../../src/lib/json-limits.ts';

const check = (text: string): string | null => jsonProblem(JSON.parse(text), EVENT_JSON_LIMITS, 'event');
const nested = (depth: number): string => '{"a":'.repeat(depth) + 1 + '}'.repeat(depth);
const nestedArray = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join(',')}}`;

describe('jsonProblem', () => {
  test.each([
    ['{}'],
    ['[]'],
    ['1'],
    ['null'],
    ['"a 😀 b"'],
    ['{"\\ud83d\\ude00":"\\ud83d\\ude00"}'],
    [nested(32)],
    [nestedArray(32)],
    [keys(1000)],
    [`[${keys(500)},${keys(500)}]`],
    ['{"x":1e308,"y":-1e308}'],
    ['{"__proto__":{"a":1}}'],
    [JSON.stringify({ list: Array(5000).fill(0) })],
  ])('accepts %s', (text) => {
    expect(check(text)).toBeNull();
  });

  test.each([
    [nested(33), 'event is nested deeper than 32 levels'],
    [nestedArray(33), 'event is nested deeper than 32 levels'],
    [`{"tags":${nested(32)}}`, 'event is nested deeper than 32 levels'],
    [keys(1001), 'event has more than 1000 keys'],
    [`{"a":${keys(500)},"b":[${keys(499)}]}`, 'event has more than 1000 keys'],
    ['"\\ud800"', 'event contains an unpaired surrogate'],
    ['{"model":"x\\udc00"}', 'model contains an unpaired surrogate'],
    ['{"tags":{"a":[1,{"b":"\\ud800x"}]}}', 'tags.a[1].b contains an unpaired surrogate'],
    ['{"\\ud800":1}', 'event has a key that contains an unpaired surrogate'],
    ['{"tags":{"\\udfff":1}}', 'tags has a key that contains an unpaired surrogate'],
    ['{"__proto__":{"a":"\\ud800"}}', '__proto__.a contains an unpaired surrogate'],
    ['{"tags":{"n":1e400}}', 'tags.n is a number too large to store'],
    ['{"input_tokens":-1e999}', 'input_tokens is a number too large to store'],
  ])('refuses %s: %p', (text, problem) => {
    expect(check(text)).toBe(problem);
  });

  test('a deeply nested value does not overflow the stack', () => {
    expect(check(nestedArray(100_000))).toBe('event is nested deeper than 32 levels');
  });

  test('a long path is cut off, and the message is valid Unicode', () => {
    const path = '😀'.repeat(100);
    const problem = jsonProblem({ [path]: { [`a${path}`]: '\ud800' } }, EVENT_JSON_LIMITS) ?? '';
    expect(problem.length).toBeLessThan(130);
    expect(problem.isWellFormed()).toBe(true);
  });

  test('agrees with a plain count of keys and levels', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
    const keysOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? (Array.isArray(value) ? 0 : Object.keys(value).length) +
          Object.values(value).reduce<number>((sum, item) => sum + keysOf(item), 0)
        : 0;
    const limits = { maxDepth: 3, maxKeys: 6 };
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const value: unknown = JSON.parse(text);
        const within = depthOf(value) <= limits.maxDepth && keysOf(value) <= limits.maxKeys;
        expect(jsonProblem(value, limits) === null).toBe(within);
      }),
      { numRuns: 2000 },
    );
  });

  test('refuses exactly the text that UTF-8 cannot represent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0xd700, max: 0xe0ff }), (text, unit) => {
        const value = { t: { k: text + String.fromCharCode(unit) } };
        const written = new TextDecoder().decode(new TextEncoder().encode(value.t.k));
        expect(jsonProblem(value, EVENT_JSON_LIMITS) === null).toBe(written === value.t.k);
      }),
    );
  });
});
