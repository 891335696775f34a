import { hashWords, mixWord } from './hash-words.ts';

/** A Bloom filter of about 16 bits per entry, of any length. */
export type Bloom = Uint8Array;

export const BYTES_PER_ENTRY = 2;
const LEAST_BYTES = 128;
const HASHES = 6;
/** The remainder of a division is fastest for whole numbers of 31 bits. */
const POSITIVE = 0x7fffffff;

/** An empty filter for `entries` ids. With that many ids in it, about 1 in 1,000 other ids is a false positive. */
export const createBloom = (entries: number): Bloom => new Uint8Array(bloomLength(entries));

/** The bytes of a filter for `entries` ids. */
export const bloomLength = (entries: number): number =>
  2 ** Math.ceil(Math.log2(Math.max(LEAST_BYTES, entries * BYTES_PER_ENTRY)));

/** Adds the id in the four words from `at` on. */
export function addToBloom(bits: Bloom, words: Int32Array, at: number): void {
  const size = bits.length * 8;
  const start = hashWords(0, words, at);
  const step = stepOf(start);
  for (let i = 0, hash = start; i < HASHES; i++, hash = (hash + step) | 0) {
    const bit = (hash & POSITIVE) % size;
    bits[bit >> 3] = (bits[bit >> 3] as number) | (1 << (bit & 7));
  }
}

/** A text as four words for the filter. For many texts `words` may be given: it is overwritten. */
export function textWords(text: string, words = new Int32Array(4)): Int32Array {
  words[0] = Bun.hash.xxHash32(text);
  return words;
}

/** Whether the id in the four words from `at` on may have been added. False is certain. */
export function isInBloom(bits: Bloom, words: Int32Array, at: number): boolean {
  const size = bits.length * 8;
  const start = hashWords(0, words, at);
  const step = stepOf(start);
  for (let i = 0, hash = start; i < HASHES; i++, hash = (hash + step) | 0) {
    const bit = (hash & POSITIVE) % size;
    if (((bits[bit >> 3] as number) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** All hashes derive from two (Kirsch, Mitzenmacher 2006). An odd step visits different bits. */
const stepOf = (start: number): number => mixWord(start + 0x9e3779b9) | 1;
