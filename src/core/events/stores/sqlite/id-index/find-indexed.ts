import type { Reader } from '../../../../../db/reader.ts';
import { DamagedBlob } from '../codecs/frame.ts';
import { readBlobs } from '../scan/read-blobs.ts';
import type { FilteredId } from '../segments/filter-parts.ts';
import { decodePage, type IdPage, idHash, pageOf } from './id-pages.ts';
import { pageKey } from './page-key.ts';

type Id = { readonly words: Int32Array };

/** An index: the numbers of its segments, and of the pages of a column. */
type IdIndex = { readonly no: number; readonly segments: readonly number[]; readonly pages: number };

/**
 * Of some ids, those that each indexed segment may have, by the segment's number. A segment that is not in the reply is
 * not indexed.
 * @param wanted the numbers of the segments to ask for
 */
export function findIndexed<T extends Id>(
  reader: Reader,
  column: FilteredId,
  wanted: ReadonlySet<number>,
  ids: readonly T[],
): Map<number, T[]> {
  const indexes = readIndexes(reader, column).filter(({ segments }) => segments.some((no) => wanted.has(no)));
  const hashes = ids.map(({ words }) => idHash(words, 0));
  const keyOf = ({ no, pages }: IdIndex, hash: number): number => pageKey(no, column, pageOf(hash, pages));
  const keys = indexes.flatMap((index) => hashes.map((hash) => keyOf(index, hash)));
  const pages = readPages(reader, [...new Set(keys)]);
  const found = new Map<number, T[]>();
  for (const index of indexes) {
    const { segments } = index;
    for (const no of segments) found.set(no, []);
    for (const [i, id] of ids.entries()) {
      const hash = hashes[i] as number;
      const page = pages.get(keyOf(index, hash));
      // Without its page any of the segments may have it.
      const places = page?.placesOf(hash) ?? segments.keys();
      for (const place of places) found.get(segments[place] as number)?.push(id);
    }
  }
  return found;
}

function readIndexes(reader: Reader, column: FilteredId): IdIndex[] {
  return reader
    .rows(`SELECT no, segments, ${column}_pages FROM event_id_indexes WHERE ready = 1`)
    .map(([no, segments, pages]) => ({
      no: Number(no),
      segments: JSON.parse(String(segments)) as number[],
      pages: Number(pages),
    }));
}

/** Pages by key. Those that can't be read are left out: they save time and tell nothing else. */
function readPages(reader: Reader, keys: readonly number[]): ReadonlyMap<number, IdPage> {
  const pages = new Map<number, IdPage>();
  for (const [key, data] of readBlobs(reader, 'event_id_pages', keys)) {
    try {
      pages.set(key, decodePage(data));
    } catch (error) {
      if (!(error instanceof DamagedBlob)) throw error;
    }
  }
  return pages;
}
