/** A text with what a detector must find in it; `expected` is empty in a negative example. */
export type Example = {
  readonly text: string;
  readonly expected: readonly { readonly type: string; readonly start: number; readonly end: number }[];
};

/** Random numbers that are the same in every run, so that figures can be compared. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
export type Random = ReturnType<typeof createRandom>;

export const DIGITS = '0123456789';
export const HEX = '0123456789abcdef';
export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const BASE62 = `${LETTERS}${LETTERS.toLowerCase()}${DIGITS}`;
export const BASE64URL = `${BASE62}-_`;

/** Random characters of an alphabet. The last one is no sign, so that the value ends where a word ends. */
export const randomText = (random: Random, length: number, alphabet = BASE62): string =>
  Array.from({ length }, (_, i) => {
    const plain = i === 0 || i === length - 1 ? alphabet.replace(/[-_]/g, '') : alphabet;
    return plain[random(plain.length)];
  }).join('');

/** A positive example: `{}` in the frame is where the value stands. */
export function positive(type: string, frame: string, value: string): Example {
  const start = frame.indexOf('{}');
  return { text: frame.replace('{}', () => value), expected: [{ type, start, end: start + value.length }] };
}

/** Each value in a frame, the frames in turn. */
export const positives = (type: string, values: readonly string[], frames: readonly string[]): Example[] =>
  values.map((value, i) => positive(type, frames[i % frames.length] ?? '{}', value));

export const negatives = (texts: readonly string[]): Example[] =>
  texts.map((text) => ({ text, expected: [] }));
