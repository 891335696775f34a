import { addToBloom, BYTES_PER_ENTRY } from '../codecs/bloom.ts';
import { frame, unframe } from '../codecs/frame.ts';
import { hashWords } from '../codecs/hash-words.ts';
import { ID_WORDS } from '../columns.ts';
import { SMALL_PIECE } from './pieces.ts';

/** Columns of ids with a Bloom filter. */
export type FilteredId = 'event_id' | 'trace_id';

/** Parts of a filter. An id's hash tells which one it is in, so a look-up reads one page of the file per segment. */
const PARTS = 8;
/** Piece numbers of the first parts. They are beyond those of `PIECES`. */
const FIRST_NUMBER = { trace_id: 48, event_id: 56 } as const;
/** With its row's header, a part of this size fits a page of 4 kB. */
const PART_BYTES = 4_032;
const LEAST_BYTES = 16;

/** Whether a segment's filters are in parts. Segments of the former format have a row without parts instead. */
export const hasFilterParts = (events: number): boolean => events * BYTES_PER_ENTRY > SMALL_PIECE;

/** The piece number of the part that the id in the four words from `at` on is in. */
export const filterPartOf = (column: FilteredId, words: Int32Array, at: number): number =>
  FIRST_NUMBER[column] + partOf(words, at);

const partOf = (words: Int32Array, at: number): number => (hashWords(1, words, at) >>> 0) % PARTS;

/** Framed filters of the ids in each part, with their piece numbers. */
export function encodeFilterParts(
  column: FilteredId,
  ids: Int32Array,
): (readonly [piece: number, data: Uint8Array])[] {
  // Distinct ids, because a trace has many events.
  const hashes = Array.from({ length: PARTS }, () => new Set<number>());
  for (let at = 0; at < ids.length; at += ID_WORDS[column])
    hashes[partOf(ids, at)]?.add(hashWords(0, ids, at));
  const parts = hashes.map(
    ({ size }) => new Uint8Array(Math.min(PART_BYTES, Math.max(LEAST_BYTES, size * BYTES_PER_ENTRY))),
  );
  for (let at = 0; at < ids.length; at += ID_WORDS[column])
    addToBloom(parts[partOf(ids, at)] as Uint8Array, ids, at);
  return parts.map((part, number) => [FIRST_NUMBER[column] + number, frame(part)] as const);
}

/**
 * A filter from its part's row; null for no row, as in the former format.
 * @throws DamagedBlob
 */
export const decodeFilterPart = (blob: Uint8Array): Uint8Array | null =>
  blob.length === 0 ? null : unframe(blob);
