import { BYTES, ID_WORDS, NUMBERS, TEXTS } from '../columns.ts';

/** Ids that a pack contains; event ids are stored beside it. */
const PACK_IDS = ['trace_id', 'span_id', 'parent_span_id'] as const;
type PackId = (typeof PACK_IDS)[number];

type Columns<N extends readonly string[], A> = Readonly<Record<N[number], A>>;

/** The columns of a pack as views of one buffer, which begins with the header. */
export type PackColumns = {
  readonly buffer: ArrayBuffer;
  /** Number of events; bytes of the prompt hashes and of the tables, which follow the columns. */
  readonly header: Uint32Array;
  readonly numbers: Columns<typeof NUMBERS, Float64Array>;
  readonly ids: Readonly<Record<PackId, Uint8Array>>;
  readonly detailBytes: Uint32Array;
  readonly texts: Columns<typeof TEXTS, Uint16Array>;
  /** 1 + the index of the event's prompt hash; 0 without one. */
  readonly hashes: Uint16Array;
  readonly bytes: Columns<typeof BYTES, Uint8Array>;
  /** Length of header and columns in bytes. */
  readonly length: number;
};

const HEADER = 16;
/** Columns are as long as a multiple of this, so that each is aligned. */
const ALIGN = 8;

/** New columns for a number of events. */
export function createPackColumns(events: number): PackColumns {
  const columns = viewPackColumns(new ArrayBuffer(packLength(events)), 0, events);
  columns.header[0] = events;
  return columns;
}

const BYTES_PER_EVENT =
  NUMBERS.length * 8 +
  PACK_IDS.reduce((sum, id) => sum + ID_WORDS[id] * 4, 0) +
  4 +
  (TEXTS.length + 1) * 2 +
  BYTES.length;

const packLength = (events: number): number => HEADER + padded(events) * BYTES_PER_EVENT;
const padded = (events: number): number => Math.ceil(events / ALIGN) * ALIGN;

/** Views the columns of a pack. `start` must be a multiple of 8. */
export function viewPackColumns(buffer: ArrayBuffer, start: number, events: number): PackColumns {
  const rows = padded(events);
  let at = start + HEADER;
  const take = (bytes: number): number => {
    const from = at;
    at += rows * bytes;
    return from;
  };
  const named = <N extends string, A>(names: readonly N[], make: (name: N) => A): Readonly<Record<N, A>> =>
    Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, A>;
  return {
    buffer,
    header: new Uint32Array(buffer, start, HEADER / 4),
    numbers: named(NUMBERS, () => new Float64Array(buffer, take(8), events)),
    ids: named(PACK_IDS, (id) => new Uint8Array(buffer, take(ID_WORDS[id] * 4), events * ID_WORDS[id] * 4)),
    detailBytes: new Uint32Array(buffer, take(4), events),
    texts: named(TEXTS, () => new Uint16Array(buffer, take(2), events)),
    hashes: new Uint16Array(buffer, take(2), events),
    bytes: named(BYTES, () => new Uint8Array(buffer, take(1), events)),
    length: packLength(events),
  };
}
