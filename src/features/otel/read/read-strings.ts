import type { Reader } from 'protobufjs/minimal.js';

/** Longer strings are hardly ever the same as an earlier one. */
const LONGEST = 64;
/** A power of two. */
const SLOTS = 512;

/**
 * Reads the strings of one body. Most of them repeat: names of attributes, models, environments. Those that equal one
 * that was read lately are not decoded again, which takes four times as long as to compare their bytes.
 */
export function createStrings(): (reader: Reader) => string {
  const texts: string[] = new Array(SLOTS).fill('');
  /** Where the bytes of the texts begin. */
  const starts = new Uint32Array(SLOTS);
  const sizes = new Uint8Array(SLOTS);
  return (reader) => {
    const before = reader.pos;
    const size = reader.size();
    const start = reader.pos;
    const isShort = size > 0 && size <= LONGEST && start + size <= reader.len;
    const slot = isShort ? slotOf(reader.buf, start, size) : 0;
    if (isShort && sizes[slot] === size && isSame(reader.buf, starts[slot] as number, start, size)) {
      reader.pos = start + size;
      return texts[slot] as string;
    }
    reader.pos = before;
    const text = reader.string();
    if (isShort) {
      texts[slot] = text;
      starts[slot] = start;
      sizes[slot] = size;
    }
    return text;
  };
}

/** Names differ at their ends and in the middle, ids anywhere. */
function slotOf(bytes: Uint8Array, start: number, size: number): number {
  const last = bytes[start + size - 1] as number;
  const middle = bytes[start + (size >> 1)] as number;
  const third = bytes[start + size - 1 - (size >> 2)] as number;
  return (size * 37 + last * 5 + middle * 101 + third * 13) & (SLOTS - 1);
}

function isSame(bytes: Uint8Array, a: number, b: number, size: number): boolean {
  for (let i = size - 1; i >= 0; i--) if (bytes[a + i] !== bytes[b + i]) return false;
  return true;
}
