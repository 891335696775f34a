import { decodeCodes } from '../codecs/codes.ts';
import { unframe } from '../codecs/frame.ts';
import { decodeNumbers } from '../codecs/numbers.ts';
import { splitSections } from '../codecs/sections.ts';
import type { Block } from './encode-blocks.ts';

const HASH_BYTES = 32;

/**
 * Decodes a block of a number of events.
 * @throws DamagedBlob
 */
export function decodeBlock(blob: Uint8Array, count: number): Block {
  const [hashes = new Uint8Array(), packed = new Uint8Array()] = splitSections(unframe(blob));
  const body = Bun.zstdDecompressSync(packed as Uint8Array<ArrayBuffer>);
  const [lengths = body, codeBytes = body, details = body] = splitSections(body);
  const ends = decodeNumbers(lengths, count);
  for (let place = 1; place < count; place++)
    ends[place] = (ends[place] as number) + (ends[place - 1] as number);
  const codes = decodeCodes(codeBytes, count);
  return {
    byteLength: blob.byteLength + body.byteLength,
    detailBytes: (place) => details.subarray(place === 0 ? 0 : ends[place - 1], ends[place]),
    hashBytes(place) {
      const code = codes[place] as number;
      return hashes.subarray(Math.max(0, code - 1) * HASH_BYTES, code * HASH_BYTES);
    },
  };
}
