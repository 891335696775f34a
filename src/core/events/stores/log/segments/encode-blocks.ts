import { encodeCodes } from '../codecs/codes.ts';
import { frame } from '../codecs/frame.ts';
import { encodeNumbers } from '../codecs/numbers.ts';
import { joinSections } from '../codecs/sections.ts';
import type { Chunk } from '../scan/chunk.ts';
import type { Gathered } from './gather.ts';
import { BLOCK_BYTES, BLOCK_EVENTS } from './pieces.ts';

const HASH_BYTES = 32;
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
  const hashes = new Map<string, number>();
  const codes: number[] = [];
  let bytes = 0;
  return {
    bytes: () => bytes,
    add(chunk: Chunk, place: number): void {
      const detail = Buffer.from(chunk.detail(place) ?? '');
      details.push(detail);
      bytes += detail.length;
      const hash = chunk.promptHash(place);
      if (hash === null) codes.push(0);
      else {
        const code = hashes.get(hash) ?? hashes.size + 1;
        hashes.set(hash, code);
        codes.push(code);
      }
    },
    encode(): Uint8Array {
      const hashBytes = new Uint8Array(hashes.size * HASH_BYTES);
      hashBytes.setFromHex([...hashes.keys()].join(''));
      const body = joinSections([
        encodeNumbers(Float64Array.from(details, ({ length }) => length)),
        encodeCodes(Uint32Array.from(codes)),
        Buffer.concat(details),
      ]);
      return frame(joinSections([hashBytes, Bun.zstdCompressSync(body as Uint8Array<ArrayBuffer>, ZSTD)]));
    },
  };
}

/** A block as it is read. */
export type Block = {
  /** Size in memory. */
  readonly byteLength: number;
  /** By the event's place in the block. */
  detail(place: number): string | null;
  promptHash(place: number): string | null;
};
