import { compressIfWorth, decompress } from './zstd.ts';

const PLAIN = 0;
const ZSTD = 1;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Encodes a list of strings as JSON, compressed where that pays, after a byte that says which. JSON escapes lone
 * surrogates, which UTF-8 can't hold.
 */
export function encodeTexts(strings: readonly string[]): Uint8Array {
  const json = encoder.encode(JSON.stringify(strings));
  const compressed = compressIfWorth(json);
  const body = compressed ?? json;
  const bytes = new Uint8Array(1 + body.length);
  bytes[0] = compressed ? ZSTD : PLAIN;
  bytes.set(body, 1);
  return bytes;
}

/** Decodes what `encodeTexts` encoded, in the same order. */
export function decodeTexts(bytes: Uint8Array): string[] {
  const body = bytes.subarray(1);
  return JSON.parse(decoder.decode(bytes[0] === ZSTD ? decompress(body) : body)) as string[];
}
