import { checkLength } from './frame.ts';

/** Widths of values that share a byte. The first value is in the lowest bits. */
export type BitWidth = 1 | 2 | 4;

/** Whether values of this width share a byte. */
export const isBitWidth = (width: number): width is BitWidth => width === 1 || width === 2 || width === 4;

/** Packs values below `2 ** width`. The bits after the last value are 0. */
export function packBits(values: Uint32Array, width: BitWidth): Uint8Array {
  const packed = new Uint8Array(Math.ceil((values.length * width) / 8));
  for (let i = 0, bit = 0; i < values.length; i++, bit += width)
    packed[bit >> 3] = (packed[bit >> 3] as number) | ((values[i] as number) << (bit & 7));
  return packed;
}

/** The value at place `i` of packed values. */
export const bitsAt = (packed: Uint8Array, width: BitWidth, i: number): number =>
  ((packed[(i * width) >> 3] as number) >> ((i * width) & 7)) & ((1 << width) - 1);

/**
 * Unpacks `count` values into a byte each. A packed byte is spread over the bytes of one or two words at once.
 *
 * @throws {DamagedBlob} if the bytes do not hold `count` values
 */
export function unpackBits(packed: Uint8Array, width: BitWidth, count: number): Uint8Array {
  checkLength(packed, Math.ceil((count * width) / 8));
  const values = new Uint8Array((packed.length * 8) / width);
  if (width === 1) spreadBits(packed, new Uint32Array(values.buffer));
  else if (width === 2) spreadPairs(packed, new Uint32Array(values.buffer));
  else spreadNibbles(packed, new Uint16Array(values.buffer));
  return values.subarray(0, count);
}

/** One byte per bit of a nibble: the product has the nibble at four places, shifted by 7 bits each time. */
const spreadNibble = (nibble: number): number => Math.imul(nibble, 0x00204081) & 0x01010101;

function spreadBits(packed: Uint8Array, words: Uint32Array): void {
  for (let i = 0; i < packed.length; i++) {
    const byte = packed[i] as number;
    words[2 * i] = spreadNibble(byte & 15);
    words[2 * i + 1] = spreadNibble(byte >> 4);
  }
}

function spreadPairs(packed: Uint8Array, words: Uint32Array): void {
  for (let i = 0; i < packed.length; i++) {
    const byte = packed[i] as number;
    words[i] = (byte & 3) | ((byte & 12) << 6) | ((byte & 48) << 12) | ((byte & 192) << 18);
  }
}

function spreadNibbles(packed: Uint8Array, halves: Uint16Array): void {
  for (let i = 0; i < packed.length; i++) {
    const byte = packed[i] as number;
    halves[i] = (byte | (byte << 4)) & 0x0f0f;
  }
}
