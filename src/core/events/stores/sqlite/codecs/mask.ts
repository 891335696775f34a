import { type BitWidth, bitsAt } from './bits.ts';
import { checkLength } from './frame.ts';

/**
 * ANDs `table[code]`, 0 or 1, into a mask of one byte per event.
 *
 * @returns whether a 1 is left
 */
export function maskBytes(codes: Uint8Array | Uint16Array, table: Uint8Array, mask: Uint8Array): boolean {
  let left = 0;
  for (let i = 0; i < mask.length; i++) {
    const kept = (mask[i] as number) & (table[codes[i] as number] as number);
    mask[i] = kept;
    left |= kept;
  }
  return left !== 0;
}

/** Places of a code that are searched for; a code with more is compared at every place. */
const FEW = 256;

/** Like `maskBytes`, for a single code: as many as the mask has. A search is many times faster than comparing. */
export function maskCode(
  codes: Uint8Array | Uint16Array | Uint32Array,
  code: number,
  mask: Uint8Array,
): boolean {
  let left = 0;
  let at = 0;
  for (let found = 0; found < FEW; found++) {
    const place = codes.indexOf(code, at);
    if (place === -1) {
      mask.fill(0, at);
      return left !== 0;
    }
    mask.fill(0, at, place);
    left |= mask[place] as number;
    at = place + 1;
  }
  for (let i = at; i < mask.length; i++) {
    const kept = codes[i] === code ? (mask[i] as number) : 0;
    mask[i] = kept;
    left |= kept;
  }
  return left !== 0;
}

/** Like `maskBytes`, for codes too many for a table. */
export function maskWords(codes: Uint32Array, wanted: ReadonlySet<number>, mask: Uint8Array): boolean {
  let left = 0;
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 0) continue;
    const kept = Number(wanted.has(codes[i] as number));
    mask[i] = kept;
    left |= kept;
  }
  return left !== 0;
}

/**
 * Like `maskBytes`, for packed codes: a packed byte is looked up at once, and four events are masked at once.
 *
 * @throws {DamagedBlob} if the bytes do not hold as many codes as the mask has
 */
export function maskBits(packed: Uint8Array, width: BitWidth, table: Uint8Array, mask: Uint8Array): boolean {
  checkLength(packed, Math.ceil((mask.length * width) / 8));
  // A mask that starts between two words is taken event by event.
  const whole = mask.byteOffset % 4 === 0 ? Math.floor(mask.length / 8) * 8 : 0;
  const words = new Uint32Array(mask.buffer, whole === 0 ? 0 : mask.byteOffset, whole / 4);
  const spread = spreadTable(table, width);
  let left =
    width === 1
      ? maskFromBits(packed, spread, words)
      : width === 2
        ? maskFromPairs(packed, spread, words)
        : maskFromNibbles(packed, spread, words);
  for (let i = whole; i < mask.length; i++) {
    const kept = (mask[i] as number) & (table[bitsAt(packed, width, i)] as number);
    mask[i] = kept;
    left |= kept;
  }
  return left !== 0;
}

/** For each packed byte the mask of its first four codes, a byte each. */
function spreadTable(table: Uint8Array, width: BitWidth): Uint32Array {
  const spread = new Uint32Array(256);
  const codes = Math.min(4, 8 / width);
  const greatest = table.length - 1;
  for (let byte = 0; byte < 256; byte++)
    for (let i = 0; i < codes; i++)
      spread[byte] =
        (spread[byte] as number) | ((table[(byte >> (i * width)) & greatest] as number) << (i * 8));
  return spread;
}

function maskFromBits(packed: Uint8Array, spread: Uint32Array, words: Uint32Array): number {
  let left = 0;
  for (let i = 0; i < words.length; i += 2) {
    const byte = packed[i >> 1] as number;
    const first = (words[i] as number) & (spread[byte] as number);
    const second = (words[i + 1] as number) & (spread[byte >> 4] as number);
    words[i] = first;
    words[i + 1] = second;
    left |= first | second;
  }
  return left;
}

function maskFromPairs(packed: Uint8Array, spread: Uint32Array, words: Uint32Array): number {
  let left = 0;
  for (let i = 0; i < words.length; i++) {
    const kept = (words[i] as number) & (spread[packed[i] as number] as number);
    words[i] = kept;
    left |= kept;
  }
  return left;
}

function maskFromNibbles(packed: Uint8Array, spread: Uint32Array, words: Uint32Array): number {
  let left = 0;
  for (let i = 0; i < words.length; i++) {
    const low = spread[packed[2 * i] as number] as number;
    const high = spread[packed[2 * i + 1] as number] as number;
    const kept = (words[i] as number) & (low | (high << 16));
    words[i] = kept;
    left |= kept;
  }
  return left;
}
