import { describe, expect, test } from 'bun:test';
import { createHashMemory } from '../../../../../../src/core/events/stores/sqlite/codecs/hash-memory.ts';
import { createIdSet } from '../../../../../../src/core/events/stores/sqlite/codecs/id-set.ts';
import { randomBelow } from '../../../../../helpers/random.ts';

/** Entries of a generation. */
const GENERATION = 262_144;

describe('a memory of hashes', () => {
  test('has all of the generations that it keeps, and few others', () => {
    const below = randomBelow();
    const hashes = Int32Array.from({ length: 3 * GENERATION }, () => below(2 ** 32) | 0);
    const memory = createHashMemory(2);
    const first = memory.newest();
    for (const hash of hashes.subarray(0, GENERATION)) memory.add(hash);
    const second = memory.newest();
    expect(second).not.toBe(first);
    for (const hash of hashes.subarray(GENERATION, 2 * GENERATION)) memory.add(hash);
    expect([first.isKept, second.isKept]).toEqual([true, true]);
    expect(hashes.subarray(0, 2 * GENERATION).every((hash) => memory.mayHave(hash))).toBeTrue();
    const others = hashes.subarray(2 * GENERATION);
    const wrong = others.reduce((sum, hash) => sum + Number(memory.mayHave(hash)), 0);
    // 1 in 500 for each of the two generations, twice that at most.
    expect(wrong / others.length).toBeLessThan(0.008);

    for (const hash of others) memory.add(hash);
    expect([first.isKept, second.isKept]).toEqual([false, true]);
    expect(hashes.subarray(GENERATION).every((hash) => memory.mayHave(hash))).toBeTrue();
  });

  test('has nothing once it is told to forget', () => {
    const memory = createHashMemory(3);
    for (let hash = 0; hash < 1_000; hash++) memory.add(hash);
    const generation = memory.newest();
    memory.forget();
    expect(generation.isKept).toBeFalse();
    expect(memory.newest().isKept).toBeTrue();
    expect(Array.from({ length: 1_000 }, (_, hash) => memory.mayHave(hash))).not.toContain(true);
  });

  test('has what a set of ids drops, but not what is removed from it', () => {
    const below = randomBelow();
    const total = 5_000;
    const words = Int32Array.from({ length: total * 4 }, () => below(2 ** 32) | 0);
    const set = createIdSet(1_000, createHashMemory(2));
    for (let i = 0; i < total; i++) {
      set.add(7, words, i * 4, i, 0);
      if (i % 10 === 0) set.remove(7, words, i * 4);
    }
    const added = Array.from({ length: total }, (_, i) => i).filter((i) => i % 10 !== 0);
    const known = (i: number): boolean => set.find(7, words, i * 4) !== null;
    const dropped = added.filter((i) => !known(i));
    expect(dropped).toHaveLength(added.length - 1_000);
    expect(dropped.every((i) => set.mayHaveDropped(7, words, i * 4))).toBeTrue();
    const ofAnother = added.filter((i) => set.mayHaveDropped(8, words, i * 4));
    expect(ofAnother.length).toBeLessThan(20);
  });
});
