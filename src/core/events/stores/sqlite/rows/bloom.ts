/** A Bloom filter over ids. It has false positives but no false negatives. */
export type Bloom = Uint8Array;

/** Sixteen bits per event of a chunk: a false positive rate of at most 1 in 400. */
const BITS = 131_072;
const HASHES = 4;

export const createBloom = (): Bloom => new Uint8Array(BITS / 8);

/** Two hashes from which any number of hashes is derived (Kirsch, Mitzenmacher 2006). */
export type BloomHash = { readonly start: number; readonly step: number };

/** @param id a text, or a number that is a hash of 32 bits */
export const bloomHash = (id: string | number): BloomHash =>
  typeof id === 'number'
    ? { start: id, step: (Math.imul(id, 0x9e3779b1) >>> 15) | 1 }
    : { start: Bun.hash.xxHash32(id, 0), step: Bun.hash.xxHash32(id, 1) | 1 };

/**
 * Hashes the 16 bytes of a UUID. Most are random, but some senders use counters, so the bytes are mixed (as in
 * MurmurHash3). It runs for every event and takes a tenth of the time of hashing text.
 */
export function uuidHash(id: Uint8Array): BloomHash {
  const last = wordAt(id, 12);
  const rest = Math.imul(wordAt(id, 4), 0xcc9e2d51) ^ Math.imul(wordAt(id, 8), 0x1b873593);
  const start = mix(wordAt(id, 0) ^ rest ^ Math.imul(last, 0x9e3779b1));
  return { start, step: mix(start ^ last) | 1 };
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) |
  ((bytes[at + 1] as number) << 8) |
  ((bytes[at + 2] as number) << 16) |
  ((bytes[at + 3] as number) << 24);

function mix(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

/** The number of bits is a power of two. */
const bitOf = (bits: Bloom, { start, step }: BloomHash, i: number): number =>
  (start + Math.imul(step, i)) & (bits.length * 8 - 1);

export function addToBloom(bits: Bloom, hash: BloomHash): void {
  for (let i = 0; i < HASHES; i++) {
    const bit = bitOf(bits, hash, i);
    bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
}

export function isInBloom(bits: Bloom, hash: BloomHash): boolean {
  for (let i = 0; i < HASHES; i++) {
    const bit = bitOf(bits, hash, i);
    if (((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}
