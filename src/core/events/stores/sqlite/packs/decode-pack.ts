import { decompress } from '../codecs/zstd.ts';
import type { IdColumn, NumberColumn, TextColumn } from '../columns.ts';
import { type Chunk, detailOf, hashOf, plainTexts, type Texts } from '../scan/chunk.ts';
import { flipCalls } from '../scan/flip-calls.ts';
import { viewPackColumns } from './pack-columns.ts';
import { unsealPack } from './pack-frame.ts';

/** A row of the log. */
export type LogRow = {
  readonly project: number;
  readonly events: number;
  readonly first: number;
  readonly last: number;
  /** 16 bytes per event id. */
  readonly ids: Uint8Array;
  /** One bit per event, lowest first, set for a duplicate; null without duplicates. */
  readonly dropped: Uint8Array | null;
  /** Label numbers: of events without a shape, then of each shape. */
  readonly labels: readonly number[];
  readonly pack: Uint8Array;
  /** Places whose flag `call` was changed after the batch was stored. */
  readonly flips: readonly number[];
  /** Numbers of links by place; without them, all are 0. */
  readonly links?: readonly number[];
};

const text = new TextDecoder();
const HASH_BYTES = 32;

/** An unpacked pack: the columns, which most reads need, and the details, which may be a hundred times as much. */
export type Unpacked = {
  /** The columns with the hashes and tables after them, at a multiple of 8. */
  readonly columns: Uint8Array<ArrayBuffer>;
  /** The details one after the other. */
  readonly details: Uint8Array<ArrayBuffer>;
};

/** @throws {DamagedBlob} if the ids or the pack of a row of the log fail their checksum */
export function unpack({ events, ids, pack }: Pick<LogRow, 'events' | 'ids' | 'pack'>): Unpacked {
  const bytes = aligned(decompress(unsealPack(pack, ids)));
  const { header, length } = viewPackColumns(bytes.buffer, bytes.byteOffset, events);
  const [, hashesLength = 0, tablesLength = 0] = header;
  const end = length + hashesLength + tablesLength;
  return { columns: bytes.subarray(0, end), details: bytes.subarray(end) };
}

/** A chunk with its size in memory. */
export type SizedChunk = Chunk & { readonly byteLength: number };

/** What a chunk takes besides its bytes. */
const CHUNK_BYTES = 4_096;

/**
 * The chunk of a row of the log.
 * @throws {DamagedBlob} if its ids or its pack fail their checksum
 */
export function decodePack(row: LogRow): SizedChunk {
  const { columns, details } = unpack(row);
  const chunk = openColumns(row, columns, () => details);
  return { ...chunk, byteLength: chunk.byteLength + details.length };
}

/**
 * The chunk of a row of the log whose pack is unpacked.
 * @param bytes its columns
 * @param readDetails its details, for each read of one
 */
export function openColumns(
  row: Omit<LogRow, 'pack'>,
  bytes: Unpacked['columns'],
  readDetails: () => Uint8Array,
): SizedChunk {
  const { events } = row;
  const columns = viewPackColumns(bytes.buffer, bytes.byteOffset, events);
  const [, hashesLength = 0] = columns.header;
  const hashesEnd = columns.length + hashesLength;
  const hashes = bytes.subarray(columns.length, hashesEnd);
  const tables = bytes.subarray(hashesEnd);
  const [strings, shapes] = JSON.parse(text.decode(tables)) as [string[], string[]];
  const ids = aligned(row.ids);
  const words = (column: IdColumn): Int32Array => {
    const own = column === 'event_id' ? ids : columns.ids[column];
    return new Int32Array(own.buffer, own.byteOffset, own.byteLength / 4);
  };
  const texts = (column: TextColumn): Texts =>
    plainTexts(columns.texts[column], column === 'shape' ? shapes : strings);
  let flags: Uint8Array | null = null;
  let starts: Uint32Array | null = null;
  let labels: Float64Array | null = null;
  const numbers = (column: NumberColumn): Float64Array => {
    if (column === 'link')
      return Float64Array.from({ length: events }, (_, place) => row.links?.[place] ?? 0);
    if (column !== 'label') return columns.numbers[column];
    labels ??= Float64Array.from(columns.texts.shape, (code) => row.labels[code] ?? 0);
    return labels;
  };
  const detailBytes = (place: number): Uint8Array => {
    starts ??= startsOf(columns.detailBytes);
    const from = starts[place] ?? 0;
    const length = columns.detailBytes[place] ?? 0;
    return length === 0 ? EMPTY : readDetails().subarray(from, from + length);
  };
  const hashBytes = (place: number): Uint8Array => {
    const number = columns.hashes[place] ?? 0;
    return number === 0 ? EMPTY : hashes.subarray((number - 1) * HASH_BYTES, number * HASH_BYTES);
  };
  return {
    project: row.project,
    events,
    first: row.first,
    last: row.last,
    byteLength: bytes.length + ids.length + CHUNK_BYTES,
    present: () => presentOf(row),
    numbers,
    number: (column, place) => numbers(column)[place] as number,
    bytes(column) {
      if (column !== 'flags') return columns.bytes[column];
      flags ??= flipCalls(columns.bytes.flags, row.flips);
      return flags;
    },
    texts,
    likelyTexts: (_, sought) => sought.filter((text) => strings.includes(text)),
    ids: words,
    mayHave: (column, id) => hasId(words(column), id),
    likely: (column, sought) => sought.filter((id) => hasId(words(column), id.words)),
    detail: (place) => detailOf(detailBytes(place)),
    promptHash: (place) => hashOf(hashBytes(place)),
    detailBytes,
    hashBytes,
  };
}

const EMPTY = new Uint8Array();

/** Typed arrays need their bytes at a multiple of 8. */
const aligned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  (bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)) as Uint8Array<ArrayBuffer>;

function presentOf({ events, dropped }: Pick<LogRow, 'events' | 'dropped'>): Uint8Array {
  const present = new Uint8Array(events).fill(1);
  if (dropped === null) return present;
  for (let place = 0; place < events; place++)
    if (((dropped[place >> 3] ?? 0) >> (place & 7)) & 1) present[place] = 0;
  return present;
}

/** Whether the ids, four words each, contain one. */
export function hasId(ids: Int32Array, [a, b, c, d]: Int32Array): boolean {
  for (let at = 0; at < ids.length; at += 4)
    if (ids[at] === a && ids[at + 1] === b && ids[at + 2] === c && ids[at + 3] === d) return true;
  return false;
}

function startsOf(lengths: Uint32Array): Uint32Array {
  const starts = new Uint32Array(lengths.length);
  let at = 0;
  for (let place = 0; place < lengths.length; place++) {
    starts[place] = at;
    at += lengths[place] ?? 0;
  }
  return starts;
}
