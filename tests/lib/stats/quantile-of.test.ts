import { expect, test } from 'bun:test';
import { quantileOf } from '../../../src/lib/stats/quantile-of.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

test('a quantile is the value of its nearest rank, as in sorted values', () => {
  const random = createRandom(TEST_SEED);
  for (let round = 0; round < 2_000; round++) {
    const range = [2, 10, 1e6][round % 3] as number;
    const values = Float64Array.from({ length: 1 + (round % 60) }, () => Math.floor(random() * range));
    if (round % 5 === 0) values.sort();
    if (round % 7 === 0) values.reverse();
    for (const q of [0, 0.5, 0.95, 1]) {
      const rank = Math.max(1, Math.ceil(q * values.length)) - 1;
      expect(quantileOf(values.slice(), q)).toBe(values.toSorted()[rank] as number);
    }
  }
});

test('no values have no quantile', () => {
  expect(quantileOf(new Float64Array(), 0.5)).toBeNull();
});
