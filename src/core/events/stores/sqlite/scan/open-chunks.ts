import { LRUCache } from 'lru-cache';
import type { Reader, ReaderPart } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { Window } from '../../../selection.ts';
import {
  openSegment,
  type SegmentBlobs,
  type SegmentCache,
  type SegmentRow,
} from '../segments/open-segment.ts';
import { segmentBlobs } from '../segments/segment-blobs.ts';
import type { Chunk, ChunkRef } from './chunk.ts';
import { batchesOf, flipsOf, placesOf } from './open-batches.ts';

/** All times that a Date can represent. */
export const ALL_TIME: Window = { from: -8.64e15, to: 8.64e15 };

/** Bytes of decoded parts of segments that a connection keeps between reads. */
const KEPT_BYTES = 24 * 1024 * 1024;
/** What a part without a known size counts. */
const PART_BYTES = 32_768;

/** Looked up only with a number that the scope's views returned. */
const keptPart: ReaderPart<SegmentCache> = {
  open() {
    const parts = new LRUCache<string, object>({ maxSize: KEPT_BYTES, sizeCalculation: bytesOf });
    return (key, make) => {
      const known = parts.get(key);
      if (known !== undefined) return known as ReturnType<typeof make>;
      const made = make();
      parts.set(key, made);
      return made;
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

/**
 * The batches and segments of a project with events in a window, the one with the newest event first.
 * @param keep false if the caller reads whole columns once: what it decodes of a segment goes with the chunk
 */
export const chunksOf = (
  reader: Reader,
  project: number,
  window: Window,
  { keep = true }: { readonly keep?: boolean } = {},
): ChunkRef[] =>
  [...batchesOf(reader, project, window), ...segmentsOf(reader, project, window, keep)].sort(
    (a, b) => b.last - a.last,
  );

/**
 * The segments of a project with events in a window, the one with the newest event first. Damaged ones are among them
 * and can be read in part; those that were given up are not.
 */
export function segmentsOf(reader: Reader, project: number, window: Window, keep = true): ChunkRef[] {
  const kept = reader.share(keptPart);
  const flips = flipsOf(reader, 'SELECT no, places FROM event_segment_flips WHERE project = ?', project);
  const own = (ready: string): string =>
    `SELECT no, version, events, first_ts, last_ts, blocks FROM event_segments
     WHERE ${ready} AND project = ?1 AND last_ts >= ?2 AND last_ts < ?4 AND first_ts < ?3`;
  const rows = reader.rows(
    `${own('ready = 1')} UNION ALL ${own('ready > 1 AND ready = 2')} ORDER BY last_ts DESC`,
    // A segment has events of one day, so the index tells both bounds.
    [project, window.from, window.to, window.to + DAY_MS],
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
      if (!keep) return openSegment(segment, blobsOf(reader, segment), ownParts());
      opened ??= openSegment(segment, blobsOf(reader, segment), kept);
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
  const segment = { ...row, flips: placesOf(flips ?? undefined) };
  return openSegment(segment, blobsOf(reader, segment), ownParts());
}

/** Decoded parts that go with their chunk. */
function ownParts(): SegmentCache {
  const parts = new Map<string, object>();
  return (key, make) => {
    const part = parts.get(key) ?? make();
    parts.set(key, part);
    return part as ReturnType<typeof make>;
  };
}

export const blobsOf = (reader: Reader, { no }: { readonly no: number }): SegmentBlobs =>
  segmentBlobs((sql, key) => reader.rows(sql, [key])[0]?.[0] ?? null, no);
