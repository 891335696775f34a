import { decodeNumbers, encodeNumbers } from './numbers.ts';
import { joinSections, splitSections } from './sections.ts';
import { compressIfWorth, decompress } from './zstd.ts';

/** Short lists are JSON. A table has the lengths and the UTF-8 of all strings, so that one is read alone. */
const JSON_PLAIN = 0;
const JSON_ZSTD = 1;
const TABLE_PLAIN = 2;
const TABLE_ZSTD = 3;
/** JSON from this many bytes on becomes a table. */
const LONG = 1_024;
/** Bytes before a table: a multiple of 8. The first is the form. */
const HEADER = 8;
const COUNT_AT = 4;
/** What a string takes besides its characters. */
const STRING_BYTES = 32;

/** A list of strings, each decoded when it is read. */
export type TextTable = {
  /** Size in memory. */
  readonly byteLength: number;
  at(index: number): string | undefined;
  /** -1 if the list has no such string. */
  indexOf(text: string): number;
  all(): readonly string[];
};

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Encodes a list of strings, compressed where that pays, after a byte that says how. JSON escapes lone surrogates,
 * which UTF-8 can't hold.
 */
export function encodeTexts(strings: readonly string[]): Uint8Array {
  const json = encoder.encode(JSON.stringify(strings));
  if (json.length >= LONG && strings.every((text) => text.isWellFormed())) return encodeTable(strings);
  const compressed = compressIfWorth(json);
  return withForm(compressed ? JSON_ZSTD : JSON_PLAIN, 1, compressed ?? json);
}

function encodeTable(strings: readonly string[]): Uint8Array {
  const lengths = Float64Array.from(strings, (text) => Buffer.byteLength(text));
  const body = encoder.encode(strings.join(''));
  const compressed = compressIfWorth(body);
  const sections = joinSections([encodeNumbers(lengths), compressed ?? body]);
  const bytes = withForm(compressed ? TABLE_ZSTD : TABLE_PLAIN, HEADER, sections);
  new DataView(bytes.buffer).setUint32(COUNT_AT, strings.length, true);
  return bytes;
}

function withForm(form: number, header: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(header + body.length);
  bytes[0] = form;
  bytes.set(body, header);
  return bytes;
}

/** Decodes what `encodeTexts` encoded, in the same order. */
export const decodeTexts = (bytes: Uint8Array): readonly string[] => openTexts(bytes).all();

/** Opens what `encodeTexts` encoded. */
export function openTexts(bytes: Uint8Array): TextTable {
  const form = bytes[0] as number;
  if (form >= TABLE_PLAIN) return openTable(bytes, form === TABLE_ZSTD);
  const body = bytes.subarray(1);
  const strings = JSON.parse(decoder.decode(form === JSON_ZSTD ? decompress(body) : body)) as string[];
  return {
    byteLength: strings.reduce((sum, text) => sum + text.length + STRING_BYTES, 0),
    at: (index) => strings[index],
    indexOf: (text) => strings.indexOf(text),
    all: () => strings,
  };
}

function openTable(bytes: Uint8Array, isCompressed: boolean): TextTable {
  const count = new DataView(bytes.buffer, bytes.byteOffset, HEADER).getUint32(COUNT_AT, true);
  const [lengths = bytes, packed = bytes] = splitSections(bytes.subarray(HEADER));
  const body = isCompressed ? decompress(packed) : packed;
  const ends = endsOf(decodeNumbers(lengths, count));
  const startOf = (index: number): number => (index === 0 ? 0 : (ends[index - 1] as number));
  return {
    byteLength: body.byteLength + ends.byteLength,
    at: (index) =>
      index < 0 || index >= count ? undefined : decoder.decode(body.subarray(startOf(index), ends[index])),
    indexOf(text) {
      const wanted = Buffer.from(text);
      for (let index = 0, start = 0; index < count; index++) {
        const end = ends[index] as number;
        if (end - start === wanted.length && isAt(body, start, wanted)) return index;
        start = end;
      }
      return -1;
    },
    all() {
      const whole = decoder.decode(body);
      if (whole.length === body.length)
        return Array.from(ends, (end, index) => whole.slice(startOf(index), end));
      return Array.from(ends, (end, index) => decoder.decode(body.subarray(startOf(index), end)));
    },
  };
}

/** Backwards, because strings of a list often start alike. */
function isAt(body: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let i = wanted.length - 1; i >= 0; i--) if (body[start + i] !== wanted[i]) return false;
  return true;
}

function endsOf(lengths: Float64Array): Uint32Array {
  const ends = new Uint32Array(lengths.length);
  let end = 0;
  for (let i = 0; i < lengths.length; i++) {
    end += lengths[i] as number;
    ends[i] = end;
  }
  return ends;
}
