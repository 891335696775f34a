import {
  BYTES,
  type ByteColumn,
  ID_WORDS,
  type IdColumn,
  NUMBERS,
  type NumberColumn,
  TEXTS,
  type TextColumn,
} from '../columns.ts';
import { hasId } from '../packs/decode-pack.ts';
import { gatherBytes, gathered, gatherIds, gatherNumbers, gatherTexts } from '../segments/gather.ts';
import { type Chunk, detailOf, hashOf, plainTexts, type Texts } from './chunk.ts';

/** A batch's place in a merged chunk. */
type Member = { readonly seq: number; readonly from: number; readonly to: number };

/**
 * The columns of several batches as one: scanning it takes a fraction of the time and memory that its batches would.
 * Details and hashes stay in the log.
 */
export type MergedBatches = {
  readonly members: readonly Member[];
  readonly first: number;
  readonly last: number;
  readonly present: Uint8Array;
  readonly numbers: ReadonlyMap<NumberColumn, Float64Array>;
  readonly bytes: ReadonlyMap<ByteColumn, Uint8Array>;
  readonly texts: ReadonlyMap<TextColumn, Texts>;
  readonly ids: ReadonlyMap<IdColumn, Int32Array>;
  /** Size in memory. */
  readonly byteLength: number;
};

/** What a string takes besides its characters. */
const STRING_BYTES = 32;

/** Merges batches, each with its number. */
export function mergeBatches(batches: readonly (readonly [seq: number, chunk: Chunk])[]): MergedBatches {
  const chunks = batches.map(([, chunk]) => chunk);
  const members: Member[] = [];
  let count = 0;
  for (const [seq, { events }] of batches) {
    members.push({ seq, from: count, to: count + events });
    count += events;
  }
  const chunkOf = new Uint32Array(count);
  const placeOf = new Uint32Array(count);
  const present = new Uint8Array(count);
  for (const [number, { from, to }] of members.entries()) {
    chunkOf.fill(number, from, to);
    for (let place = from; place < to; place++) placeOf[place] = place - from;
    present.set((chunks[number] as Chunk).present(), from);
  }
  const rows = gathered(chunks, chunkOf, placeOf);
  const texts = TEXTS.map((column): [TextColumn, Texts] => {
    const { codes, strings } = gatherTexts(rows, column);
    return [
      column,
      plainTexts(strings.length < 256 ? new Uint8Array(codes) : new Uint16Array(codes), strings),
    ];
  });
  return {
    members,
    first: Math.min(...chunks.map(({ first }) => first)),
    last: Math.max(...chunks.map(({ last }) => last)),
    present,
    numbers: new Map([...NUMBERS, 'label' as const].map((column) => [column, gatherNumbers(rows, column)])),
    bytes: new Map(BYTES.map((column) => [column, new Uint8Array(gatherBytes(rows, column))])),
    texts: new Map(texts),
    ids: new Map(ID_COLUMNS.map((column) => [column, gatherIds(rows, column)])),
    byteLength: count * EVENT_BYTES + texts.reduce((sum, [, { strings }]) => sum + bytesOf(strings), 0),
  };
}

const ID_COLUMNS = Object.keys(ID_WORDS) as IdColumn[];
const EVENT_BYTES =
  (NUMBERS.length + 1) * 8 +
  BYTES.length +
  TEXTS.length * 2 +
  ID_COLUMNS.reduce((sum, column) => sum + ID_WORDS[column] * 4, 1);

const bytesOf = (strings: readonly string[]): number =>
  strings.reduce((sum, text) => sum + text.length + STRING_BYTES, 0);

/**
 * The batches of a merge that a read sees, as a chunk.
 * @param isVisible batches that were sealed, or changed, since the merge are not
 * @param open the batch of a number, for details
 */
export function openMerged(
  project: number,
  merged: MergedBatches,
  { isVisible, open }: { isVisible(seq: number): boolean; open(seq: number): Chunk },
): Chunk {
  const { members, first, last } = merged;
  const hidden = members.filter(({ seq }) => !isVisible(seq));
  const at = (place: number): [chunk: Chunk, place: number] => {
    const { seq, from } = members[lastBefore(members, place)] as Member;
    return [open(seq), place - from];
  };
  const numbers = (column: NumberColumn): Float64Array => merged.numbers.get(column) as Float64Array;
  const ids = (column: IdColumn): Int32Array => merged.ids.get(column) as Int32Array;
  const texts = (column: TextColumn): Texts => merged.texts.get(column) as Texts;
  const detailBytes = (place: number): Uint8Array => {
    const [chunk, own] = at(place);
    return chunk.detailBytes(own);
  };
  const hashBytes = (place: number): Uint8Array => {
    const [chunk, own] = at(place);
    return chunk.hashBytes(own);
  };
  return {
    project,
    events: merged.present.length,
    first,
    last,
    present() {
      const present = merged.present.slice();
      for (const { from, to } of hidden) present.fill(0, from, to);
      return present;
    },
    numbers,
    number: (column, place) => numbers(column)[place] as number,
    bytes: (column) => merged.bytes.get(column) as Uint8Array,
    texts,
    likelyTexts: (column, sought) => sought.filter((text) => texts(column).codeOf(text) !== 0),
    ids,
    mayHave: (column, words) => hasId(ids(column), words),
    likely: (column, sought) => sought.filter(({ words }) => hasId(ids(column), words)),
    detail: (place) => detailOf(detailBytes(place)),
    promptHash: (place) => hashOf(hashBytes(place)),
    detailBytes,
    hashBytes,
  };
}

/** The index of the last member that begins at a place or before. */
function lastBefore(members: readonly Member[], place: number): number {
  let [low, high] = [0, members.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((members[middle] as Member).from <= place) low = middle;
    else high = middle;
  }
  return low;
}
