import { frame, unframe } from '../codecs/frame.ts';
import { hashWords } from '../codecs/hash-words.ts';
import { ID_WORDS } from '../columns.ts';
import type { FilteredId } from '../segments/filter-parts.ts';

/** The hashes of the Bloom filters have other seeds, so that a false positive of one is seldom one of the other. */
const SEED = 2;
/** Ids per page on average; with the row's header nearly all pages fit a page of 4 kB. */
const PAGE_IDS = 1_233;
/** What an id takes: 16 bits of its hash, and the place of its segment. */
const ID_BYTES = 3;
const HASHES = 2 ** 32;

/** The hash of the id in the four words from `at` on. */
export const idHash = (words: Int32Array, at: number): number => hashWords(SEED, words, at) >>> 0;

/** The page with a hash. */
export const pageOf = (hash: number, pages: number): number => Math.floor((hash * pages) / HASHES);

/** The distinct hashes of a column's ids, ascending. */
export function hashesOf(column: FilteredId, ids: Int32Array): Uint32Array {
  const words = ID_WORDS[column];
  const hashes = new Uint32Array(ids.length / words);
  for (let i = 0; i < hashes.length; i++) hashes[i] = idHash(ids, i * words);
  hashes.sort();
  let count = 0;
  for (const hash of hashes) if (count === 0 || hash !== hashes[count - 1]) hashes[count++] = hash;
  return hashes.subarray(0, count);
}

/**
 * Encodes which segments have which ids. A page has the ids whose hashes are in its range: the lower 16 bits of each
 * hash, then the place of each id's segment in the list (1 byte).
 * @param segments the hashes of up to 256 segments
 * @returns framed pages, in the order of the hashes
 */
export function encodePages(segments: readonly Uint32Array[]): Uint8Array[] {
  const all = segments.reduce((sum, { length }) => sum + length, 0);
  const count = Math.max(1, Math.ceil(all / PAGE_IDS));
  const sizes = new Uint32Array(count);
  for (const hashes of segments)
    for (const hash of hashes) sizes[pageOf(hash, count)] = (sizes[pageOf(hash, count)] as number) + 1;
  const pages = Array.from(sizes, (size) => openPage(new Uint8Array(size * ID_BYTES)));
  const ends = new Uint32Array(count);
  for (const [place, hashes] of segments.entries())
    for (const hash of hashes) {
      const number = pageOf(hash, count);
      const { low, places } = pages[number] as Page;
      const at = ends[number] as number;
      low[at] = hash;
      places[at] = place;
      ends[number] = at + 1;
    }
  return pages.map(({ bytes }) => frame(bytes));
}

type Page = { readonly bytes: Uint8Array; readonly low: Uint16Array; readonly places: Uint8Array };

function openPage(bytes: Uint8Array): Page {
  const size = Math.floor(bytes.length / ID_BYTES);
  return {
    bytes,
    low: new Uint16Array(bytes.buffer, bytes.byteOffset, size),
    places: bytes.subarray(size * 2),
  };
}

/** Finds an id's segments. */
export type IdPage = {
  /** The places of the segments that may have an id with this hash, each once; about 1 in 50 times one that has not. */
  placesOf(hash: number): number[];
};

/** @throws DamagedBlob */
export function decodePage(blob: Uint8Array): IdPage {
  const { low, places } = openPage(unframe(blob));
  return {
    placesOf(hash) {
      const found: number[] = [];
      const wanted = hash & 0xffff;
      for (let at = low.indexOf(wanted); at !== -1; at = low.indexOf(wanted, at + 1)) {
        const place = places[at] as number;
        // Two ids of a segment may have the same lower bits. A segment's ids follow each other.
        if (place !== found.at(-1)) found.push(place);
      }
      return found;
    },
  };
}
