import { expect, test } from 'bun:test';
import { containsText } from '../../../src/lib/text/contains-text.ts';
import { randomBelow } from '../../helpers/random.ts';

test('finds what includes() finds, in texts of few letters that nearly contain the part', () => {
  const below = randomBelow();
  const word = (length: number): string =>
    Array.from({ length }, () => (below(12) === 0 ? 'b' : 'a')).join('');
  let found = 0;
  for (let i = 0; i < 2_000; i++) {
    const text = word(below(1_500));
    const from = below(Math.max(1, text.length));
    const part =
      below(2) === 0 ? word(below(90)) : `${text.slice(from, from + 60 + below(60))}${word(below(3))}`;
    expect(containsText(text, part)).toBe(text.includes(part));
    if (text.includes(part)) found++;
  }
  expect(found).toBeGreaterThan(100);
  expect(found).toBeLessThan(1_900);
});

test('two long texts take no product of their lengths', () => {
  const part = `${'a'.repeat(10_000)}b\`${'a'.repeat(10_000)}`;
  const before = performance.now();
  expect(containsText('a'.repeat(2_000_000), part)).toBe(false);
  // It took half a minute.
  expect(performance.now() - before).toBeLessThan(2_000);
});
