import { mixWord } from './hash-words.ts';

/** Hashes that were added one after the other and are forgotten together; `isKept` is false from then on. */
export type Generation = { readonly isKept: boolean };

/** Whether one of the newest hashes was added, in 2 bytes a hash and one cache line for each generation asked. */
export type HashMemory = {
  add(hash: number): void;
  /** False is certain for what was added in the generations that are kept. */
  mayHave(hash: number): boolean;
  /** Of the hash that is added next. */
  newest(): Generation;
  /** Whether the newest generation may have a hash. */
  newestMayHave(hash: number): boolean;
  forget(): void;
};

/** A block of 512 bits is a cache line. */
const BLOCK_WORDS = 16;
const BLOCK_BITS = 9;
const IN_BLOCK = 2 ** BLOCK_BITS - 1;
const BLOCKS = 2 ** 13;
/** The block is in the high bits: the set that drops ids uses the low ones. */
const BLOCK_SHIFT = 32 - 13;
/** Of a generation: 16 bits each, so that 1 in 500 other hashes is a false positive. */
const ENTRIES = BLOCKS * 32;

type Filter = Generation & { isKept: boolean; entries: number; readonly words: Int32Array };

/**
 * A blocked Bloom filter for each generation (Putze, Sanders, Singler 2007): all bits of a hash are in one block.
 * @param generations how many are kept, of 262,144 hashes and 512 kB each
 */
export function createHashMemory(generations: number): HashMemory {
  /** The newest first. */
  let filters: Filter[] = [begin()];

  function current(): Filter {
    const [newest] = filters as [Filter];
    if (newest.entries < ENTRIES) return newest;
    for (const old of filters.splice(generations - 1)) old.isKept = false;
    const next = begin();
    filters.unshift(next);
    return next;
  }

  function isInFirst(count: number, hash: number): boolean {
    const block = (hash >>> BLOCK_SHIFT) * BLOCK_WORDS;
    const [a, b] = [mixWord(hash + 1), mixWord(hash + 2)];
    for (let i = 0; i < count; i++) if (hasAll((filters[i] as Filter).words, block, a, b)) return true;
    return false;
  }

  return {
    add(hash) {
      const filter = current();
      const { words } = filter;
      const block = (hash >>> BLOCK_SHIFT) * BLOCK_WORDS;
      const [a, b] = [mixWord(hash + 1), mixWord(hash + 2)];
      for (let shift = 0; shift < 3 * BLOCK_BITS; shift += BLOCK_BITS) {
        setBit(words, block, a >>> shift);
        setBit(words, block, b >>> shift);
      }
      filter.entries++;
    },
    mayHave: (hash) => isInFirst(filters.length, hash),
    newestMayHave: (hash) => isInFirst(1, hash),
    newest: current,
    forget() {
      for (const old of filters) old.isKept = false;
      filters = [begin()];
    },
  };
}

const begin = (): Filter => ({ isKept: true, entries: 0, words: new Int32Array(BLOCKS * BLOCK_WORDS) });

function setBit(words: Int32Array, block: number, bits: number): void {
  const bit = bits & IN_BLOCK;
  const at = block + (bit >> 5);
  words[at] = (words[at] as number) | (1 << (bit & 31));
}

const hasBit = (words: Int32Array, block: number, bits: number): boolean =>
  (((words[block + ((bits & IN_BLOCK) >> 5)] as number) >> (bits & 31)) & 1) === 1;

const hasAll = (words: Int32Array, block: number, a: number, b: number): boolean =>
  hasBit(words, block, a) &&
  hasBit(words, block, b) &&
  hasBit(words, block, a >>> BLOCK_BITS) &&
  hasBit(words, block, b >>> BLOCK_BITS) &&
  hasBit(words, block, a >>> (2 * BLOCK_BITS)) &&
  hasBit(words, block, b >>> (2 * BLOCK_BITS));
