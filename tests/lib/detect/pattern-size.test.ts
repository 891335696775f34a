import { expect, test } from 'bun:test';
import { compilePattern } from '../../../src/lib/detect/content/pattern.ts';
import { patternSize } from '../../../src/lib/detect/content/pattern-size.ts';

test.each([
  ['abc', 3],
  ['(ab){3}', 6],
  ['(a[b-z]{2}){3,10}', 30],
  ['(?i)(?:ab){3}(?P<n>c){2}', 8],
  ['x{5,}', 5],
  ['[]{9}]', 1],
  ['[^\\]{9}]{4}', 4],
  ['\\({7}', 7],
  ['((a{10}){10}){10}', 1_000],
  ['a{,5}', 5],
  ['(a{3}', 3],
  ['a{3})b', 4],
  ['\\pL{3}[\\P{Greek}]', 5 + 2 * 30],
])('%s is about as large as %d parts', (source, size) => {
  expect(patternSize(source)).toBe(size);
});

test('what the compiler takes time for is counted: a pattern of the largest size compiles in a moment', () => {
  const before = performance.now();
  const classes = '\\pL\\pN\\pS\\pC'.repeat(22);
  compilePattern(classes, 'is');
  expect(() => compilePattern(classes.repeat(2), 'is')).toThrow(/too large/);
  expect(performance.now() - before).toBeLessThan(500);
});

test.each([`(?:${'ab'.repeat(450)}){999}`, '(\\w{999})?'.repeat(90)])(
  'a pattern of a thousand characters that compiles to a hundred thousand parts is refused: %p',
  (source) => {
    expect(() => compilePattern(source)).toThrow(/too large: .* of 3,000 at most/);
  },
);
