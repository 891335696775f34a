import { addToBloom, createBloom, textWords } from '../codecs/bloom.ts';
import { encodeCodes } from '../codecs/codes.ts';
import { frame, unframe } from '../codecs/frame.ts';
import { hashWords } from '../codecs/hash-words.ts';
import { encodeNumbers } from '../codecs/numbers.ts';
import { joinSections, splitSections } from '../codecs/sections.ts';
import { encodeTexts } from '../codecs/texts.ts';
import { BYTES, FILTERED_TEXTS, ID_WORDS, type IdColumn, NUMBERS, TEXTS } from '../columns.ts';
import { encodeBlocks } from './encode-blocks.ts';
import { encodeFilterParts, hasFilterParts } from './filter-parts.ts';
import { type Gathered, gatherBytes, gatherIds, gatherNumbers, gatherTexts } from './gather.ts';
import { PIECE, PIECES, type Piece, SMALL_PIECE } from './pieces.ts';

/** A segment, ready to be stored. All blobs are framed. */
export type EncodedSegment = {
  readonly events: number;
  readonly first: number;
  readonly last: number;
  /** The small pieces: a section for each of `PIECES`, empty if the piece has a row of its own. */
  readonly small: Uint8Array;
  /** The other pieces by number. */
  readonly pieces: readonly (readonly [piece: number, data: Uint8Array])[];
  readonly blocks: readonly Uint8Array[];
};

/** Encodes events as a segment. */
export function encodeSegment(rows: Gathered): EncodedSegment {
  const encoded = new Map<Piece, Uint8Array>();
  const filters: (readonly [piece: number, data: Uint8Array])[] = [];
  const ts = gatherNumbers(rows, 'ts');
  for (const column of [...NUMBERS, 'label', 'link'] as const)
    encoded.set(column, encodeNumbers(column === 'ts' ? ts : gatherNumbers(rows, column)));
  for (const column of BYTES) encoded.set(column, encodeCodes(gatherBytes(rows, column)));
  for (const column of TEXTS) {
    const { codes, strings } = gatherTexts(rows, column);
    encoded.set(column, encodeCodes(codes));
    encoded.set(`${column} strings`, encodeTexts(strings));
    const filtered = FILTERED_TEXTS.find((name) => name === column);
    if (filtered !== undefined) encoded.set(`${filtered} filter`, filterOfTexts(strings));
  }
  for (const column of Object.keys(ID_WORDS) as IdColumn[]) {
    const ids = gatherIds(rows, column);
    encoded.set(column, encodeIds(ids));
    if (column !== 'event_id' && column !== 'trace_id') continue;
    if (hasFilterParts(rows.count)) filters.push(...encodeFilterParts(column, ids));
    else encoded.set(`${column} filter`, filterOf(ids));
  }
  const { blocks, starts } = encodeBlocks(rows);
  encoded.set('block starts', encodeNumbers(Float64Array.from(starts)));
  const { small, pieces } = split(encoded);
  return {
    events: rows.count,
    first: ts[0] ?? 0,
    last: ts.at(-1) ?? 0,
    small,
    pieces: [...pieces, ...filters],
    blocks,
  };
}

/** Ids are random, so they are stored as they are, unless all are zero. */
const encodeIds = (ids: Int32Array): Uint8Array =>
  ids.every((word) => word === 0) ? new Uint8Array() : new Uint8Array(ids.buffer);

/** A filter of the distinct ids: a trace has many events. */
function filterOf(ids: Int32Array): Uint8Array {
  const hashes = new Set<number>();
  for (let at = 0; at < ids.length; at += ID_WORDS.event_id) hashes.add(hashWords(0, ids, at));
  const bits = createBloom(hashes.size);
  for (let at = 0; at < ids.length; at += ID_WORDS.event_id) addToBloom(bits, ids, at);
  return bits;
}

function filterOfTexts(strings: readonly string[]): Uint8Array {
  const bits = createBloom(strings.length);
  const words = new Int32Array(4);
  for (const text of strings) addToBloom(bits, textWords(text, words), 0);
  return bits;
}

function split(encoded: ReadonlyMap<Piece, Uint8Array>): Pick<EncodedSegment, 'small' | 'pieces'> {
  const small: Uint8Array[] = [];
  const pieces: [number, Uint8Array][] = [];
  for (const name of PIECES) {
    const bytes = encoded.get(name) ?? new Uint8Array();
    const isSmall = bytes.length <= SMALL_PIECE;
    // An empty section means that the piece has a row of its own, so a small piece is never empty.
    small.push(isSmall ? prefixed(bytes) : new Uint8Array());
    if (!isSmall) pieces.push([PIECE[name], frame(bytes)]);
  }
  return { small: frame(joinSections(small)), pieces };
}

/**
 * Replaces some pieces of a segment.
 * @param small its small pieces as stored
 * @returns the new small pieces and the others that were replaced; `removed` are among the small ones now
 */
export function replacePieces(
  small: Uint8Array,
  edited: Partial<Readonly<Record<Piece, Uint8Array>>>,
): Pick<EncodedSegment, 'small' | 'pieces'> & { readonly removed: readonly number[] } {
  const sections = splitSections(unframe(small));
  const pieces: [number, Uint8Array][] = [];
  const removed: number[] = [];
  for (const [name, bytes] of Object.entries(edited) as [Piece, Uint8Array][]) {
    const number = PIECE[name];
    const hadRow = unprefixed(sections[number]) === null;
    const isSmall = bytes.length <= SMALL_PIECE;
    sections[number] = isSmall ? prefixed(bytes) : new Uint8Array();
    if (!isSmall) pieces.push([number, frame(bytes)]);
    else if (hadRow) removed.push(number);
  }
  return { small: frame(joinSections(sections)), pieces, removed };
}

const PREFIX = 8;

/** Eight bytes keep what follows aligned. */
function prefixed(bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(PREFIX + bytes.length);
  all.set(bytes, PREFIX);
  return all;
}

/** The piece of a section of the small pieces; null if it has a row of its own. */
export const unprefixed = (section: Uint8Array | undefined): Uint8Array | null =>
  section === undefined || section.length === 0 ? null : section.subarray(PREFIX);
