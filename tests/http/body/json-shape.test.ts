import { expect, test } from 'bun:test';
import { shapeProblem } from '../../../src/http/body/json-shape.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const filled = (text: string): Uint8Array => bytes(`{"filling":"${'x'.repeat(20_000)}",${text}}`);
const nested = (levels: number): string => `"a":${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each<[string, string, string | null]>([
  ['99 levels below the first', nested(99), null],
  ['100 levels below the first', nested(100), 'is nested deeper than 100 levels'],
  ['100,000 objects with the outer two', `"a":[${'{},'.repeat(99_997)}{}]`, null],
  ['one more', `"a":[${'{},'.repeat(99_998)}{}]`, 'has more than 100,000 objects and arrays'],
  ['brackets in a text', `"a":"${'[{'.repeat(200_000)}"`, null],
  ['brackets after an escaped quote in a text', `"a":"\\"${'['.repeat(200)}"`, null],
  [
    'brackets after a text that ends with a backslash',
    `"a":"\\\\","b":${'['.repeat(200)}`,
    'is nested deeper than 100 levels',
  ],
  ['a text without an end', `"a":"${'['.repeat(200)}`, null],
])('the shape of a body: %s', (_, text, problem) => {
  expect(shapeProblem(filled(text))).toBe(problem);
});

test('a small body is left to the parser', () => {
  expect(shapeProblem(bytes('['.repeat(16_000)))).toBeNull();
});
