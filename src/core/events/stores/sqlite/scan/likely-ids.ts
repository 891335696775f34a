import type { Reader } from '../../../../../db/reader.ts';
import { isInBloom } from '../codecs/bloom.ts';
import { decodeFilterPart, type FilteredId, filterPartOf, hasFilterParts } from '../segments/filter-parts.ts';
import { PIECE_SPACE } from '../segments/pieces.ts';
import { toBytes } from '../segments/segment-blobs.ts';
import type { ChunkRef } from './chunk.ts';

type Id = { readonly words: Int32Array };

/** Rows that are read at once: about a megabyte. */
const ROWS = 256;

/**
 * Of some ids, those that each chunk may contain, in the order of the chunks. Chunks that certainly contain none are
 * left out and not opened. A batch of the log has no filter.
 */
export function likelyIds<T extends Id>(
  reader: Reader,
  refs: readonly ChunkRef[],
  column: FilteredId,
  ids: readonly T[],
): Map<ChunkRef, readonly T[]> {
  const byPart = Map.groupBy(ids, ({ words }) => filterPartOf(column, words, 0));
  const parts = readParts(reader, refs, [...byPart.keys()]);
  const found = new Map<ChunkRef, readonly T[]>();
  for (const ref of refs) {
    const own = ref.segment === null ? undefined : parts.get(ref.segment);
    const inParts = ({ words }: T): boolean => {
      const part = own?.get(filterPartOf(column, words, 0));
      return part === undefined || isInBloom(part, words, 0);
    };
    const isKnown = ref.segment === null || own !== undefined;
    const likely = isKnown ? ids.filter(inParts) : ref.open().likely(column, ids);
    if (likely.length > 0) found.set(ref, likely);
  }
  return found;
}

/** The parts of the filters of all large segments, by segment and piece: a query for many of them. */
function readParts(
  reader: Reader,
  refs: readonly ChunkRef[],
  pieces: readonly number[],
): ReadonlyMap<number, ReadonlyMap<number, Uint8Array>> {
  const keys = refs.flatMap(({ segment, events }) =>
    segment !== null && hasFilterParts(events) ? pieces.map((piece) => segment * PIECE_SPACE + piece) : [],
  );
  const parts = new Map<number, Map<number, Uint8Array>>();
  for (let at = 0; at < keys.length; at += ROWS) {
    const rows = reader.rows(
      'SELECT id, data FROM event_pieces WHERE id IN (SELECT value FROM json_each(?))',
      [JSON.stringify(keys.slice(at, at + ROWS))],
    );
    for (const [id = 0, data = null] of rows) {
      const part = decodeFilterPart(toBytes(data));
      if (part === null) continue;
      const segment = Math.floor(Number(id) / PIECE_SPACE);
      const own = parts.get(segment) ?? new Map<number, Uint8Array>();
      parts.set(segment, own.set(Number(id) % PIECE_SPACE, part));
    }
  }
  return parts;
}
