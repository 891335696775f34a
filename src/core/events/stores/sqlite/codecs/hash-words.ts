/** MurmurHash3 (32 bits) of the four words from `at` on; `seed` tells apart what the words alone do not. */
export function hashWords(seed: number, words: Int32Array, at: number): number {
  let hash = seed;
  for (let i = at; i < at + 4; i++) {
    const key = Math.imul(words[i] as number, 0xcc9e2d51);
    hash ^= Math.imul((key << 15) | (key >>> 17), 0x1b873593);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  return mixWord(hash);
}

/** The finish of MurmurHash3: each bit of the word affects all bits of the result. */
export function mixWord(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
