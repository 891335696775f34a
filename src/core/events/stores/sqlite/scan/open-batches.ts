import { LRUCache } from 'lru-cache';
import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader, ReaderPart } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import { BATCH_COLUMNS, decodeBatch, decodeDetails, decodeLight } from '../packs/decode-batch.ts';
import type { SizedChunk } from '../packs/decode-pack.ts';
import type { Chunk, ChunkRef } from './chunk.ts';
import { type MergedBatches, mergeBatches, openMerged } from './merge-batches.ts';

/** A row of the log without its blobs. */
export type BatchRow = Readonly<Record<'project' | 'seq' | 'events' | 'first' | 'last', number>>;

/**
 * Bytes of decoded unsealed events that a connection keeps between reads: merged columns of about 50,000 events, columns
 * of the newest batches, and details.
 */
const KEPT_BYTES = { merges: 12 * 1024 * 1024, batches: 4 * 1024 * 1024, details: 4 * 1024 * 1024 };

/** Numbers of a group, whose batches are merged once all of them are stored. */
const GROUP = 64;
/** Fewer are not worth merging. */
const LEAST = 4;
/** About the most events of a merge, so that each is a small part of what is kept. */
const MOST_EVENTS = 8_192;

type Kept = {
  readonly batches: LRUCache<string, SizedChunk>;
  readonly details: LRUCache<number, Uint8Array>;
  /** The details that were read last, which may be more than is kept: a page reads many of a batch. */
  newest: { readonly seq: number; readonly details: Uint8Array } | null;
  /** By the number of the newest batch. */
  readonly merges: LRUCache<number, MergedBatches>;
};

/** All are looked up only with a number that the scope's views returned. */
const keptPart: ReaderPart<Kept> = {
  open: () => ({
    batches: new LRUCache({ maxSize: KEPT_BYTES.batches, sizeCalculation: ({ byteLength }) => byteLength }),
    // They are views on all that was decoded.
    details: new LRUCache({
      maxSize: KEPT_BYTES.details,
      sizeCalculation: ({ buffer }) => buffer.byteLength,
    }),
    newest: null,
    merges: new LRUCache({
      maxSize: KEPT_BYTES.merges,
      sizeCalculation: ({ byteLength }) => byteLength + 1,
    }),
  }),
};

/**
 * The unsealed events of a project with some in a window, about in the order of arrival. Batches that lie back a little
 * come merged.
 */
export function batchesOf(reader: Reader, project: number, window: Window): ChunkRef[] {
  const flips = flipsOf(reader, 'SELECT seq, places FROM event_log_flips WHERE project = ?', project);
  const rows = reader
    .rows('SELECT seq, events, first_ts, last_ts FROM event_log WHERE project = ? ORDER BY seq', [project])
    .map((row): BatchRow => {
      const [seq, events, first, last] = row.map(Number) as [number, number, number, number];
      return { project, seq, events, first, last };
    });
  const newest = groupOf(rows.at(-1));
  const refs: ChunkRef[] = [];
  for (const [group, own] of Map.groupBy(rows, groupOf)) {
    const wanted = own.filter(({ first, last }) => first < window.to && last >= window.from);
    if (wanted.length === 0) continue;
    const plain = group < newest ? own.filter(({ seq }) => !flips.has(seq)) : [];
    const merges = runsOf(plain).filter((run) => run.length >= LEAST);
    const merged = new Set(merges.flat());
    refs.push(...merges.map((run) => mergedRef(reader, run)));
    for (const row of wanted) if (!merged.has(row)) refs.push(batchRef(reader, row, flips.get(row.seq)));
  }
  return refs;
}

/** Splits batches into runs that are not too large for a merge. */
function runsOf(rows: readonly BatchRow[]): BatchRow[][] {
  const runs: BatchRow[][] = [];
  let events = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (events + row.events > MOST_EVENTS) {
      runs.push([]);
      events = 0;
    }
    runs.at(-1)?.push(row);
    events += row.events;
  }
  return runs;
}

/** A group's batches come in one transaction after the other, so a later number means that no more will follow. */
const groupOf = (row: BatchRow | undefined): number => Math.floor((row?.seq ?? 0) / GROUP);

const batchRef = (reader: Reader, row: BatchRow, flipped: string | undefined): ChunkRef => ({
  ...boundsOf(row.project, [row]),
  open: () => openKept(reader, row, flipped),
});

function openKept(reader: Reader, row: BatchRow, flipped: string | undefined): Chunk {
  const kept = reader.share(keptPart);
  const key = `${row.seq} ${flipped ?? ''}`;
  const known = kept.batches.get(key);
  if (known !== undefined) return known;
  const { chunk, details } = openLight(reader, row, flipped);
  keepDetails(kept, row.seq, details);
  kept.batches.set(key, chunk);
  return chunk;
}

function openLight(
  reader: Reader,
  row: BatchRow,
  flipped: string | undefined,
): ReturnType<typeof decodeLight> {
  const known = { ...row, flips: placesOf(flipped) };
  return decodeLight(known, valuesOf(reader, row), () => {
    const kept = reader.share(keptPart);
    if (kept.newest?.seq === row.seq) return kept.newest.details;
    const details = kept.details.get(row.seq) ?? decodeDetails(known, valuesOf(reader, row));
    keepDetails(kept, row.seq, details);
    return details;
  });
}

function keepDetails(kept: Kept, seq: number, details: Uint8Array): void {
  kept.newest = { seq, details };
  kept.details.set(seq, details);
}

function mergedRef(reader: Reader, rows: readonly BatchRow[]): ChunkRef {
  const { project, seq: newest } = rows.at(-1) as BatchRow;
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  const view = {
    isVisible: (seq: number): boolean => bySeq.has(seq),
    open: (seq: number): Chunk => openKept(reader, bySeq.get(seq) as BatchRow, undefined),
  };
  // Not kept here, so that what does not fit the cache is only in memory while it is scanned.
  return {
    ...boundsOf(project, rows),
    open: () => openMerged(project, mergedOf(reader, newest, rows), view),
  };
}

/** The merge of at least the given batches. Sealing takes the oldest, so the newest one identifies it. */
function mergedOf(reader: Reader, newest: number, rows: readonly BatchRow[]): MergedBatches {
  const { merges } = reader.share(keptPart);
  const known = merges.get(newest);
  const merged = new Set(known?.members.map(({ seq }) => seq));
  if (known !== undefined && rows.every(({ seq }) => merged.has(seq))) return known;
  const made = mergeBatches(rows.map((row) => [row.seq, openLight(reader, row, undefined).chunk]));
  merges.set(newest, made);
  return made;
}

function boundsOf(project: number, rows: readonly BatchRow[]): Omit<ChunkRef, 'open'> {
  return {
    project,
    segment: null,
    events: rows.reduce((sum, { events }) => sum + events, 0),
    first: Math.min(...rows.map(({ first }) => first)),
    last: Math.max(...rows.map(({ last }) => last)),
  };
}

/** Decodes a batch. `flipped`: its places in the table of flips; `links`: the numbers of its links by place. */
export function openBatch(
  reader: Reader,
  row: BatchRow,
  { flips, links = [] }: { readonly flips: string | undefined; readonly links?: readonly number[] },
): SizedChunk {
  return decodeBatch({ ...row, flips: placesOf(flips), links }, valuesOf(reader, row));
}

const valuesOf = (reader: Reader, { seq }: BatchRow): SqlValue[] =>
  reader.rows(`SELECT ${BATCH_COLUMNS} FROM event_log WHERE seq = ?`, [seq])[0] ?? [];

/** JSON of the flipped places by the number of the batch or segment. */
export function flipsOf(reader: Reader, sql: string, project: number): Map<number, string> {
  const rows = reader.rows(sql, [project]);
  return new Map(rows.map(([no, places]) => [Number(no), String(places)]));
}

export const placesOf = (json: string | undefined): number[] => (json === undefined ? [] : JSON.parse(json));
