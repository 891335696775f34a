import { encodeCodes } from '../codecs/codes.ts';
import { frame } from '../codecs/frame.ts';
import { encodeNumbers } from '../codecs/numbers.ts';
import { joinSections } from '../codecs/sections.ts';
import type { Chunk } from '../scan/chunk.ts';
import type { Gathered } from './gather.ts';
import { BLOCK_BYTES, BLOCK_EVENTS } from './pieces.ts';

const ZSTD = { level: 3 };

/**
 * Encodes what is displayed but never searched, in blocks of a few hundred events: each is a section with the distinct
 * prompt hashes, and a compressed one with lengths and texts of the details and the codes of the hashes.
 * @returns framed blocks and the place of the first event of each
 */
export function encodeBlocks(rows: Gathered): { readonly blocks: Uint8Array[]; readonly starts: number[] } {
  const blocks: Uint8Array[] = [];
  const starts: number[] = [];
  for (let from = 0; from < rows.count; ) {
    const block = createBlock();
    let place = from;
    while (place < rows.count && place - from < BLOCK_EVENTS && block.bytes() < BLOCK_BYTES) {
      const chunk = rows.chunks[rows.chunkOf[place] as number] as Chunk;
      block.add(chunk, rows.placeOf[place] as number);
      place++;
    }
    blocks.push(block.encode());
    starts.push(from);
    from = place;
  }
  return { blocks, starts };
}

function createBlock() {
  const details: Uint8Array[] = [];
  const hashes = createHashes();
  const codes: number[] = [];
  let bytes = 0;
  return {
    bytes: () => bytes,
    add(chunk: Chunk, place: number): void {
      const detail = chunk.detailBytes(place);
      details.push(detail);
      bytes += detail.length;
      codes.push(hashes.codeOf(chunk.hashBytes(place)));
    },
    encode(): Uint8Array {
      const body = joinSections([
        encodeNumbers(Float64Array.from(details, ({ length }) => length)),
        encodeCodes(Uint32Array.from(codes)),
        Buffer.concat(details),
      ]);
      const packed = Bun.zstdCompressSync(body as Uint8Array<ArrayBuffer>, ZSTD);
      return frame(joinSections([Buffer.concat(hashes.list), packed]));
    },
  };
}

/** Distinct hashes by code, from 1; an empty one has the code 0. */
function createHashes() {
  const list: Uint8Array[] = [];
  const codes = new Map<number, number>();
  return {
    list,
    codeOf(hash: Uint8Array): number {
      if (hash.length === 0) return 0;
      // The first bytes are enough to find a hash; two hashes that share them only fail to share a code.
      const key = keyOf(hash);
      const known = codes.get(key);
      if (known !== undefined && Buffer.compare(list[known - 1] as Uint8Array, hash) === 0) return known;
      codes.set(key, list.push(hash));
      return list.length;
    },
  };
}

const keyOf = (hash: Uint8Array): number => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = hash;
  return (((a << 16) | (b << 8) | c) >>> 0) * 0x1000000 + ((d << 16) | (e << 8) | f);
};

/** A block as it is read. */
export type Block = {
  /** Size in memory. */
  readonly byteLength: number;
  /** By the event's place in the block: its detail in UTF-8 and its prompt hash, empty without one. */
  detailBytes(place: number): Uint8Array;
  hashBytes(place: number): Uint8Array;
};
