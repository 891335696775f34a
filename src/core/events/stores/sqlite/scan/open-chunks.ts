import { LRUCache } from 'lru-cache';
import type { Reader, ReaderPart } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import { BATCH_COLUMNS, decodeBatch } from '../packs/decode-batch.ts';
import {
  openSegment,
  type SegmentBlobs,
  type SegmentCache,
  type SegmentRow,
} from '../segments/open-segment.ts';
import { segmentBlobs } from '../segments/segment-blobs.ts';
import type { Chunk } from './chunk.ts';

/** A chunk that is not open yet. `segment` is its number; null for a batch of the log. */
export type ChunkRef = {
  readonly project: number;
  readonly segment: number | null;
  readonly events: number;
  readonly first: number;
  readonly last: number;
  open(): Chunk;
};

/** All times that a Date can represent. */
export const ALL_TIME: Window = { from: -8.64e15, to: 8.64e15 };

/** Unsealed events, and bytes of decoded parts of segments, that a connection keeps between reads. */
const KEPT_EVENTS = 150_000;
const KEPT_BYTES = 24 * 1024 * 1024;
/** What a part without a known size counts. */
const PART_BYTES = 32_768;

type Kept = { readonly batches: LRUCache<string, Chunk>; readonly segments: SegmentCache };

/** Both are looked up only with a number that the scope's views returned. */
const keptPart: ReaderPart<Kept> = {
  open() {
    const parts = new LRUCache<string, object>({ maxSize: KEPT_BYTES, sizeCalculation: bytesOf });
    return {
      batches: new LRUCache({ maxSize: KEPT_EVENTS, sizeCalculation: ({ events }) => events }),
      segments(key, make) {
        const known = parts.get(key);
        if (known !== undefined) return known as ReturnType<typeof make>;
        const made = make();
        parts.set(key, made);
        return made;
      },
    };
  },
};

function bytesOf(part: object): number {
  if (Array.isArray(part)) return part.reduce((sum, one) => sum + bytesOfElement(one), 1);
  return 'byteLength' in part && typeof part.byteLength === 'number' ? part.byteLength + 1 : PART_BYTES;
}

/** A string of an array takes a reference and a header besides its characters; others are views of bytes. */
const bytesOfElement = (one: unknown): number =>
  typeof one === 'string' ? one.length + 32 : one instanceof Uint8Array ? one.byteLength : 0;

/** The batches and segments of a project with events in a window, the one with the newest event first. */
export const chunksOf = (reader: Reader, project: number, window: Window): ChunkRef[] =>
  [...batchesOf(reader, project, window), ...segmentsOf(reader, project, window)].sort(
    (a, b) => b.last - a.last,
  );

/** The unsealed batches of a project with events in a window, in the order of arrival. */
export function batchesOf(reader: Reader, project: number, window: Window): ChunkRef[] {
  const { batches } = reader.share(keptPart);
  const flips = flipsOf(reader, 'SELECT seq, places FROM event_log_flips WHERE project = ?', project);
  const rows = reader.rows(
    'SELECT seq, events, first_ts, last_ts FROM event_log WHERE project = ? AND last_ts >= ? AND first_ts < ? ORDER BY seq',
    [project, window.from, window.to],
  );
  return rows.map((row) => {
    const [seq, events, first, last] = row.map(Number) as [number, number, number, number];
    const flipped = flips.get(seq);
    const open = (): Chunk => {
      const key = `${seq} ${flipped ?? ''}`;
      const known = batches.get(key) ?? openBatch(reader, { project, seq, events, first, last }, flipped);
      batches.set(key, known);
      return known;
    };
    return { project, segment: null, events, first, last, open };
  });
}

/** A row of the log without its blobs. */
export type BatchRow = Readonly<Record<'project' | 'seq' | 'events' | 'first' | 'last', number>>;

export function openBatch(reader: Reader, { seq, ...row }: BatchRow, flipped: string | undefined): Chunk {
  const [values = []] = reader.rows(`SELECT ${BATCH_COLUMNS} FROM event_log WHERE seq = ?`, [seq]);
  return decodeBatch({ ...row, flips: placesOf(flipped) }, values);
}

/** The segments of a project with events in a window, the one with the newest event first. */
export function segmentsOf(reader: Reader, project: number, window: Window): ChunkRef[] {
  const { segments } = reader.share(keptPart);
  const flips = flipsOf(reader, 'SELECT no, places FROM event_segment_flips WHERE project = ?', project);
  const rows = reader.rows(
    `SELECT no, version, events, first_ts, last_ts, blocks FROM event_segments
     WHERE ready = 1 AND project = ? AND last_ts >= ? AND first_ts < ? ORDER BY last_ts DESC`,
    [project, window.from, window.to],
  );
  return rows.map((row) => {
    const [no, version, events, first, last, blocks] = row.map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const segment = { no, version, project, events, first, last, blocks, flips: placesOf(flips.get(no)) };
    let opened: Chunk | null = null;
    const open = (): Chunk => {
      opened ??= openSegment(segment, blobsOf(reader, segment), segments);
      return opened;
    };
    return { project, segment: no, events, first, last, open };
  });
}

/** Opens a segment without keeping its parts for other reads. `flips`: as the table has them. */
export function openStoredSegment(
  reader: Reader,
  { flips, ...row }: Omit<SegmentRow, 'flips'> & { readonly flips: string | null },
): Chunk {
  const parts = new Map<string, object>();
  const segment = { ...row, flips: placesOf(flips ?? undefined) };
  return openSegment(segment, blobsOf(reader, segment), (key, make) => {
    const part = parts.get(key) ?? make();
    parts.set(key, part);
    return part as ReturnType<typeof make>;
  });
}

const blobsOf = (reader: Reader, { no }: { readonly no: number }): SegmentBlobs =>
  segmentBlobs((sql, key) => reader.rows(sql, [key])[0]?.[0] ?? null, no);

function flipsOf(reader: Reader, sql: string, project: number): Map<number, string> {
  const rows = reader.rows(sql, [project]);
  return new Map(rows.map(([no, places]) => [Number(no), String(places)]));
}

const placesOf = (json: string | undefined): number[] => (json === undefined ? [] : JSON.parse(json));
