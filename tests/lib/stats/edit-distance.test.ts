import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { editDistance } from '../../../src/lib/stats/edit-distance.ts';
import { TEST_SEED } from '../../helpers/random.ts';

/** The textbook's table, row by row. */
function slowDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, unit] of a.split('').entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (unit === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

test('the edit distance is that of the textbook, also of texts longer than a word of bits', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3);
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ä'), maxLength: 130 });
  fc.assert(
    fc.property(text, text, (a, b) => editDistance(a, b) === slowDistance(a, b)),
    { seed: TEST_SEED, numRuns: 300 },
  );
});
