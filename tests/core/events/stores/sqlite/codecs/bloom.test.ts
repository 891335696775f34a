import { describe, expect, test } from 'bun:test';
import {
  addToBloom,
  createBloom,
  isInBloom,
} from '../../../../../../src/core/events/stores/sqlite/codecs/bloom.ts';
import { randomBelow } from '../../../../../helpers/random.ts';

const ENTRIES = 16_384;
const OTHERS = 200_000;
/** Six hashes at 16 bits an entry: (1 - e^(-6/16))^6. */
const EXPECTED = 0.000935;

/** Ids of four words each: those in the filter, then others. */
const idsOf = (word: (i: number, place: number) => number): Int32Array =>
  Int32Array.from({ length: (ENTRIES + OTHERS) * 4 }, (_, at) => word(at >> 2, at & 3));

function falsePositives(ids: Int32Array): number {
  const bloom = createBloom(ENTRIES);
  for (let i = 0; i < ENTRIES; i++) addToBloom(bloom, ids, i * 4);
  for (let i = 0; i < ENTRIES; i++) if (!isInBloom(bloom, ids, i * 4)) throw new Error(`${i} is missing`);
  let found = 0;
  for (let i = ENTRIES; i < ENTRIES + OTHERS; i++) if (isInBloom(bloom, ids, i * 4)) found++;
  return found / OTHERS;
}

describe('a Bloom filter', () => {
  test('has 16 bits per entry, rounded up to a power of two, and at least 128 bytes', () => {
    expect([0, 1, 64, 65, 1_000, ENTRIES].map((entries) => createBloom(entries).length)).toEqual([
      128, 128, 128, 256, 2_048, 32_768,
    ]);
  });

  test('is empty at first', () => {
    expect(isInBloom(createBloom(10), new Int32Array(4), 0)).toBeFalse();
  });

  test('finds all random ids, and one other in about 1,000', () => {
    const below = randomBelow();
    expect(falsePositives(idsOf(() => below(2 ** 32) | 0))).toBeLessThan(EXPECTED * 1.6);
  });

  test('does as well with counters in any word', () => {
    for (const counter of [0, 1, 2, 3])
      expect(falsePositives(idsOf((i, place) => (place === counter ? i : 7)))).toBeLessThan(EXPECTED * 1.6);
  });

  test('does as well with a counter that is spread over two words', () => {
    expect(
      falsePositives(idsOf((i, place) => (place === 1 ? i & 511 : place === 3 ? i >> 9 : 0))),
    ).toBeLessThan(EXPECTED * 1.6);
  });
});
