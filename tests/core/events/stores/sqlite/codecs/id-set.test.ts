import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createHashMemory } from '../../../../../../src/core/events/stores/sqlite/codecs/hash-memory.ts';
import { createIdSet } from '../../../../../../src/core/events/stores/sqlite/codecs/id-set.ts';
import { randomBelow } from '../../../../../helpers/random.ts';

type Kept = { seq: number; place: number };

/** A Map keeps its keys in the order in which they were added. */
function createModel(capacity: number) {
  const kept = new Map<string, Kept>();
  return {
    kept,
    add(id: string, value: Kept): boolean {
      if (kept.has(id)) return false;
      const oldest = kept.keys().next().value;
      if (kept.size === capacity && oldest !== undefined) kept.delete(oldest);
      kept.set(id, value);
      return true;
    },
  };
}

/** Few different ids in few projects, so that they meet. */
const id = fc.record({ project: fc.constantFrom(1, 2, -1), n: fc.nat(60) });
const step = fc.record({ id, what: fc.constantFrom('add', 'add', 'add', 'remove', 'find') });

/** One of the four words is the number, the others are alike. */
const wordsOf = (n: number): Int32Array => {
  const words = new Int32Array(6).fill(-5);
  words[1 + (n % 4)] = n;
  return words;
};

describe('a set of ids', () => {
  test('does what a map with the same limit does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(step, { maxLength: 300 }), (capacity, steps) => {
        const set = createIdSet(capacity, createHashMemory(2));
        const model = createModel(capacity);
        for (const [i, { id, what }] of steps.entries()) {
          const words = wordsOf(id.n);
          const key = `${id.project} ${id.n}`;
          const value = { seq: 2 ** 53 - i, place: (i * 1_000) % 65_536 };
          if (what === 'add')
            expect(set.add(id.project, words, 1, value.seq, value.place)).toBe(model.add(key, value));
          else if (what === 'remove') {
            set.remove(id.project, words, 1);
            model.kept.delete(key);
          }
          expect(set.find(id.project, words, 1)).toEqual(model.kept.get(key) ?? null);
        }
        for (const project of [1, 2, -1])
          for (let n = 0; n <= 60; n++)
            expect(set.find(project, wordsOf(n), 1)).toEqual(model.kept.get(`${project} ${n}`) ?? null);
      }),
      { numRuns: 300 },
    );
  });

  test('keeps exactly the newest of many random ids', () => {
    const below = randomBelow();
    const capacity = 5_000;
    const total = 23_456;
    const words = Int32Array.from({ length: total * 4 }, () => below(2 ** 32) | 0);
    const set = createIdSet(capacity, createHashMemory(2));
    for (let i = 0; i < total; i++) {
      expect(set.add(9, words, i * 4, i, i % 100)).toBeTrue();
      expect(set.add(9, words, i * 4, 0, 0)).toBeFalse();
    }
    const kept = Array.from({ length: total }, (_, i) => set.find(9, words, i * 4)?.seq ?? null);
    expect(kept).toEqual(Array.from({ length: total }, (_, i) => (i >= total - capacity ? i : null)));
  });

  test('has all its room again after ids in the middle are removed', () => {
    const set = createIdSet(100, createHashMemory(2));
    for (let n = 0; n < 100; n++) set.add(1, wordsOf(n), 1, n, 0);
    for (let n = 30; n < 60; n++) set.remove(1, wordsOf(n), 1);
    for (let n = 100; n < 130; n++) set.add(1, wordsOf(n), 1, n, 0);
    expect(set.find(1, wordsOf(0), 1)).toEqual({ seq: 0, place: 0 });
    set.add(1, wordsOf(130), 1, 130, 0);
    expect(set.find(1, wordsOf(0), 1)).toBeNull();
    expect(set.find(1, wordsOf(1), 1)).toEqual({ seq: 1, place: 0 });
  });
});
