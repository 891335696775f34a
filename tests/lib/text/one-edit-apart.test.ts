import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { oneEditApart } from '../../../src/lib/text/one-edit-apart.ts';

test.each([
  ['input_token', 'input_tokens', true],
  ['latncy_ms', 'latency_ms', true],
  ['latenzy_ms', 'latency_ms', true],
  ['lateyncy_ms', 'latency_ms', true],
  ['latecny_ms', 'latency_ms', true],
  ['latency_ms', 'latency_ms', false],
  ['ltncy_ms', 'latency_ms', false],
  ['a', 'b', true],
  ['', 'b', true],
  ['', '', false],
  ['ab', 'ca', false],
])('%s and %s: %p', (a, b, is) => {
  expect(oneEditApart(a, b)).toBe(is);
  expect(oneEditApart(b, a)).toBe(is);
});

test('each single edit of a text is one', () => {
  const text = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(text, fc.string({ minLength: 1, maxLength: 1 }), text, (before, one, after) => {
      expect(oneEditApart(before + after, before + one + after)).toBe(true);
    }),
  );
});
