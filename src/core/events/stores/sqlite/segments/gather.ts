import { type ByteColumn, ID_WORDS, type IdColumn, type NumberColumn, type TextColumn } from '../columns.ts';
import type { Chunk } from '../scan/chunk.ts';

/** Events of several chunks in order of time, then of id. */
export type Gathered = {
  readonly chunks: readonly Chunk[];
  readonly count: number;
  /** For each event, the index of its chunk and its place in it. */
  readonly chunkOf: Uint32Array;
  readonly placeOf: Uint32Array;
  /** The columns gathered so far. */
  readonly columns: Map<NumberColumn | ByteColumn | TextColumn, object>;
};

/**
 * Puts chosen events of chunks in order.
 * @param masks 1 for each chosen event of a chunk, per chunk
 */
export function gather(chunks: readonly Chunk[], masks: readonly Uint8Array[]): Gathered {
  const count = masks.reduce((sum, mask) => sum + mask.reduce((own, bit) => own + bit, 0), 0);
  const chunkOf = new Uint32Array(count);
  const placeOf = new Uint32Array(count);
  const ts = new Float64Array(count);
  let at = 0;
  for (const [number, chunk] of chunks.entries()) {
    const times = chunk.numbers('ts');
    const mask = masks[number] as Uint8Array;
    for (let place = 0; place < mask.length; place++) {
      if (mask[place] === 0) continue;
      chunkOf[at] = number;
      placeOf[at] = place;
      ts[at++] = times[place] as number;
    }
  }
  const order = orderOf(ts, (i) => ({
    ids: (chunks[chunkOf[i] as number] as Chunk).ids('event_id'),
    at: (placeOf[i] as number) * ID_WORDS.event_id,
  }));
  return gathered(
    chunks,
    chunkOf.map((_, i) => chunkOf[order[i] as number] as number),
    placeOf.map((_, i) => placeOf[order[i] as number] as number),
  );
}

type IdPlace = { readonly ids: Int32Array; readonly at: number };

/** Indexes in order of time, then of id. Sorting numbers is many times faster than sorting by a function. */
function orderOf(ts: Float64Array, idOf: (i: number) => IdPlace): Uint32Array {
  const count = ts.length;
  const first = ts.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const keys = ts.map((time, i) => (time - first) * count + i).sort();
  const order = Uint32Array.from(keys, (key) => key % count);
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && ts[order[to] as number] === ts[order[from] as number]) to++;
    if (to - from > 1) order.subarray(from, to).sort((a, b) => compareIds(idOf(a), idOf(b)));
    from = to;
  }
  return order;
}

/** As their texts compare. */
export function compareIds(a: IdPlace, b: IdPlace): number {
  for (let word = 0; word < ID_WORDS.event_id; word++) {
    const x = bigEndian(a.ids[a.at + word] as number);
    const y = bigEndian(b.ids[b.at + word] as number);
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

const bigEndian = (word: number): number =>
  (((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;

/** Events in a given order, by the indexes of their chunks and their places. */
export const gathered = (chunks: readonly Chunk[], chunkOf: Uint32Array, placeOf: Uint32Array): Gathered => ({
  chunks,
  count: placeOf.length,
  chunkOf,
  placeOf,
  columns: new Map(),
});

/** Events of one chunk, in the order of the given places. */
export const gatheredAt = (chunk: Chunk, places: readonly number[]): Gathered =>
  gathered([chunk], new Uint32Array(places.length), Uint32Array.from(places));

/** Sums need some of the columns that a segment needs, so that each is gathered once. */
function once<T extends object>(
  { columns }: Gathered,
  column: NumberColumn | ByteColumn | TextColumn,
  gatherColumn: () => T,
): T {
  const known = columns.get(column);
  if (known !== undefined) return known as T;
  const made = gatherColumn();
  columns.set(column, made);
  return made;
}

export const gatherNumbers = (rows: Gathered, column: NumberColumn): Float64Array =>
  once(rows, column, () => {
    const columns = rows.chunks.map((chunk) => chunk.numbers(column));
    const values = new Float64Array(rows.count);
    for (let i = 0; i < rows.count; i++)
      values[i] = (columns[rows.chunkOf[i] as number] as Float64Array)[rows.placeOf[i] as number] as number;
    return values;
  });

export const gatherBytes = (rows: Gathered, column: ByteColumn): Uint32Array =>
  once(rows, column, () => {
    const columns = rows.chunks.map((chunk) => chunk.bytes(column));
    const values = new Uint32Array(rows.count);
    for (let i = 0; i < rows.count; i++)
      values[i] = (columns[rows.chunkOf[i] as number] as Uint8Array)[rows.placeOf[i] as number] as number;
    return values;
  });

/** Codes as in `Texts`. */
type GatheredTexts = { readonly codes: Uint32Array; readonly strings: readonly string[] };

/** Texts with one table of strings, in the order of their first use. */
export const gatherTexts = (rows: Gathered, column: TextColumn): GatheredTexts =>
  once(rows, column, () => {
    const columns = rows.chunks.map((chunk) => chunk.texts(column));
    const known = columns.map(({ strings }) => new Uint32Array(strings.length + 1));
    const numbers = new Map<string, number>();
    const codes = new Uint32Array(rows.count);
    for (let i = 0; i < rows.count; i++) {
      const number = rows.chunkOf[i] as number;
      const { codes: own, strings } = columns[number] as (typeof columns)[number];
      const code = own[rows.placeOf[i] as number] as number;
      if (code === 0) continue;
      const map = known[number] as Uint32Array;
      if (map[code] === 0) {
        const text = strings[code - 1] as string;
        const found = numbers.get(text) ?? numbers.size + 1;
        numbers.set(text, found);
        map[code] = found;
      }
      codes[i] = map[code] as number;
    }
    return { codes, strings: [...numbers.keys()] };
  });

export function gatherIds(rows: Gathered, column: IdColumn): Int32Array {
  const words = ID_WORDS[column];
  const columns = rows.chunks.map((chunk) => chunk.ids(column));
  const values = new Int32Array(rows.count * words);
  for (let i = 0, to = 0; i < rows.count; i++) {
    const own = columns[rows.chunkOf[i] as number] as Int32Array;
    const from = (rows.placeOf[i] as number) * words;
    for (let word = 0; word < words; word++) values[to++] = own[from + word] as number;
  }
  return values;
}
