import { isInBloom, textWords } from '../codecs/bloom.ts';
import { decodeCodes } from '../codecs/codes.ts';
import { DamagedBlob, unframe } from '../codecs/frame.ts';
import { decodeNumbers, openNumbers } from '../codecs/numbers.ts';
import { splitSections } from '../codecs/sections.ts';
import { openTexts, type TextTable } from '../codecs/texts.ts';
import { ID_WORDS, type IdColumn, type NumberColumn, type TextColumn } from '../columns.ts';
import { DamagedEvents } from '../damage/damaged.ts';
import { type Chunk, detailOf, hashOf, type Texts } from '../scan/chunk.ts';
import { flipCalls } from '../scan/flip-calls.ts';
import { decodeBlock } from './decode-block.ts';
import type { Block } from './encode-blocks.ts';
import { unprefixed } from './encode-segment.ts';
import { decodeFilterPart, type FilteredId, filterPartOf, hasFilterParts } from './filter-parts.ts';
import { PIECE, type Piece } from './pieces.ts';

/** A row of the segments. Times in epoch milliseconds. */
export type SegmentRow = {
  readonly no: number;
  /** Increases whenever a piece of the segment is replaced. */
  readonly version: number;
  readonly project: number;
  readonly events: number;
  readonly first: number;
  readonly last: number;
  /** Number of blocks. */
  readonly blocks: number;
  /** Places whose flag `call` was changed after the segment was written. */
  readonly flips: readonly number[];
};

/** Reads the blobs of one segment. */
export type SegmentBlobs = {
  small(): Uint8Array;
  piece(number: number): Uint8Array;
  block(number: number): Uint8Array;
};

/** Keeps decoded parts of segments between reads. `make` runs if the part is not there. */
export type SegmentCache = <T extends object>(key: string, make: () => T) => T;

/**
 * A segment as a chunk. Its methods throw DamagedEvents if a blob fails its checksum.
 * @param cache may keep what is decoded: a segment's number and version identify its content
 */
export function openSegment(row: SegmentRow, blobs: SegmentBlobs, cache: SegmentCache): Chunk {
  const { no, version, events } = row;
  const read = <T>(decode: () => T): T => naming(row, decode);
  const kept = <T extends object>(part: string, make: () => T): T =>
    cache(`${no} ${version} ${part}`, () => read(make));
  const small = (): Uint8Array[] => kept('small', () => splitSections(unframe(blobs.small())));
  const piece = (name: Piece): Uint8Array =>
    unprefixed(small()[PIECE[name]]) ?? read(() => unframe(blobs.piece(PIECE[name])));
  /** Segments of former versions have no links. */
  const has = (column: NumberColumn): boolean => column !== 'link' || PIECE.link < small().length;
  const starts = (): Float64Array =>
    kept('block starts', () => decodeNumbers(piece('block starts'), row.blocks));
  const at = (place: number): { readonly block: Block; readonly place: number } => {
    const [number, from, to] = blockOf(starts(), place, events);
    const block = kept(`block ${number}`, () => decodeBlock(blobs.block(number), to - from));
    return { block, place: place - from };
  };
  const detailBytes = (place: number): Uint8Array => {
    const found = at(place);
    return found.block.detailBytes(found.place);
  };
  const hashBytes = (place: number): Uint8Array => {
    const found = at(place);
    return found.block.hashBytes(found.place);
  };
  let flags: Uint8Array | null = null;
  const codes = (name: Piece) => kept(name, () => decodeCodes(piece(name), events));
  const table = (column: TextColumn): TextTable =>
    kept(`${column} strings`, () => openTexts(piece(`${column} strings`)));
  const filterOf = (column: FilteredId): ((id: { readonly words: Int32Array }) => boolean) => {
    let whole: Uint8Array | null = null;
    return ({ words }) => {
      const part = hasFilterParts(events)
        ? read(() => decodeFilterPart(blobs.piece(filterPartOf(column, words, 0))))
        : null;
      if (part === null) whole ??= piece(`${column} filter`);
      return isInBloom(part ?? (whole as Uint8Array), words, 0);
    };
  };

  return {
    project: row.project,
    events,
    first: row.first,
    last: row.last,
    present: () => new Uint8Array(events).fill(1),
    numbers: (column) =>
      kept(column, () => (has(column) ? decodeNumbers(piece(column), events) : new Float64Array(events))),
    number: (column, place) =>
      has(column) ? kept(`packed ${column}`, () => openNumbers(piece(column), events)).at(place) : 0,
    bytes(column) {
      const values = codes(column) as Uint8Array;
      if (column !== 'flags' || row.flips.length === 0) return values;
      flags ??= flipCalls(values, row.flips);
      return flags;
    },
    texts: (column): Texts => ({
      get codes() {
        return codes(column);
      },
      get strings() {
        return kept(`all ${column} strings`, () => table(column).all());
      },
      at: (code) => table(column).at(code - 1) ?? null,
      codeOf: (text) => table(column).indexOf(text) + 1,
    }),
    likelyTexts(column, texts) {
      const filter = piece(`${column} filter`);
      return texts.filter((text) => isInBloom(filter, textWords(text), 0));
    },
    ids: (column) => kept(column, () => decodeIds(column, piece(column), events)),
    mayHave: (column, words) => filterOf(column)({ words }),
    likely: (column, ids) => ids.filter(filterOf(column)),
    detail: (place) => detailOf(detailBytes(place)),
    promptHash: (place) => hashOf(hashBytes(place)),
    detailBytes,
    hashBytes,
  };
}

/** One piece, for callers that need no other. @throws DamagedEvents if a blob fails its checksum */
export const readPiece = (row: SegmentRow, blobs: SegmentBlobs, name: Piece): Uint8Array =>
  naming(row, () => {
    const small = splitSections(unframe(blobs.small()));
    return unprefixed(small[PIECE[name]]) ?? unframe(blobs.piece(PIECE[name]));
  });

/** A part of a filter; null if it has no row, as in the former format. @throws DamagedEvents */
export const readFilterPart = (row: SegmentRow, blobs: SegmentBlobs, number: number): Uint8Array | null =>
  naming(row, () => decodeFilterPart(blobs.piece(number)));

/** Compares the checksum of a block. @throws DamagedEvents */
export const readBlock = (row: SegmentRow, blobs: SegmentBlobs, number: number): Uint8Array =>
  naming(row, () => unframe(blobs.block(number)));

/** Names the segment of a damaged blob. */
function naming<T>({ no, project, events, first, last }: SegmentRow, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DamagedBlob)) throw error;
    const damage = { kind: 'segment', no, project, events, first, last, reason: error.message } as const;
    throw new DamagedEvents(damage, error);
  }
}

/** Ids of zeros only are stored as nothing. */
function decodeIds(column: IdColumn, bytes: Uint8Array, events: number): Int32Array {
  const words = events * ID_WORDS[column];
  return bytes.length === 0
    ? new Int32Array(words)
    : new Int32Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, words);
}

/** The block that contains a place: its number, first place and end. */
function blockOf(starts: Float64Array, place: number, events: number): [number, number, number] {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= place) low = middle;
    else high = middle;
  }
  return [low, starts[low] as number, starts[low + 1] ?? events];
}
