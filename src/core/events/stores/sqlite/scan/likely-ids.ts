import type { Reader } from '../../../../../db/reader.ts';
import { isInBloom } from '../codecs/bloom.ts';
import { DamagedBlob } from '../codecs/frame.ts';
import { findIndexed } from '../id-index/find-indexed.ts';
import { decodeFilterPart, type FilteredId, filterPartOf, hasFilterParts } from '../segments/filter-parts.ts';
import { PIECE_SPACE } from '../segments/pieces.ts';
import type { ChunkRef } from './chunk.ts';
import { readBlobs } from './read-blobs.ts';

type Id = { readonly words: Int32Array };

/** Parts of filters by segment and piece. */
type Parts = ReadonlyMap<number, ReadonlyMap<number, Uint8Array>>;

/**
 * Of some ids, those that each chunk may contain, in the order of the chunks. Chunks that certainly contain none are
 * left out and not opened. The indexes tell it for many segments at once, the filters for each segment. A batch of the
 * log has neither.
 */
export function likelyIds<T extends Id>(
  reader: Reader,
  refs: readonly ChunkRef[],
  column: FilteredId,
  ids: readonly T[],
): Map<ChunkRef, readonly T[]> {
  const segments = new Set(refs.flatMap(({ segment }) => segment ?? []));
  const indexed = findIndexed(reader, column, segments, ids);
  const candidates = refs.flatMap((ref): [ChunkRef, readonly T[]][] => {
    const own = ref.segment === null ? ids : (indexed.get(ref.segment) ?? ids);
    return own.length === 0 ? [] : [[ref, own]];
  });
  const parts = readParts(reader, column, candidates);
  const found = new Map<ChunkRef, readonly T[]>();
  for (const [ref, own] of candidates) {
    const likely = likelyIn(ref, column, own, parts);
    if (likely.length > 0) found.set(ref, likely);
  }
  return found;
}

function likelyIn<T extends Id>(
  ref: ChunkRef,
  column: FilteredId,
  ids: readonly T[],
  parts: Parts,
): readonly T[] {
  const own = ref.segment === null ? undefined : parts.get(ref.segment);
  if (ref.segment !== null && own === undefined) return ref.open().likely(column, ids);
  return ids.filter(({ words }) => {
    const part = own?.get(filterPartOf(column, words, 0));
    return part === undefined || isInBloom(part, words, 0);
  });
}

/** The parts of the filters of all large segments that tell of the ids. */
function readParts(
  reader: Reader,
  column: FilteredId,
  candidates: readonly (readonly [ChunkRef, readonly Id[]])[],
): Parts {
  const keys = candidates.flatMap(([{ segment, events }, ids]) => {
    if (segment === null || !hasFilterParts(events)) return [];
    const pieces = new Set(ids.map(({ words }) => filterPartOf(column, words, 0)));
    return [...pieces].map((piece) => segment * PIECE_SPACE + piece);
  });
  const parts = new Map<number, Map<number, Uint8Array>>();
  for (const [key, data] of readBlobs(reader, 'event_pieces', keys)) {
    const part = readPart(data);
    if (part === null) continue;
    const segment = Math.floor(key / PIECE_SPACE);
    const own = parts.get(segment) ?? new Map<number, Uint8Array>();
    parts.set(segment, own.set(key % PIECE_SPACE, part));
  }
  return parts;
}

/** Null for a part that can't be read: the segment is opened instead, which tells of the damage. */
function readPart(data: Uint8Array): Uint8Array | null {
  try {
    return decodeFilterPart(data);
  } catch (error) {
    if (error instanceof DamagedBlob) return null;
    throw error;
  }
}
