import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import type { SegmentRow } from './open-segment.ts';

/** A segment as its row and that of its flips are stored. `flips`: JSON; null without any. */
export type StoredSegment = Omit<SegmentRow, 'flips'> & { readonly flips: string | null };

/**
 * The segments of a project from a number on, in the order of their numbers. Segments that are sealed, merged or
 * rewritten meanwhile get higher numbers, so a walk in this order misses no event.
 */
export const segmentsFrom = (reader: Reader, project: number, no: number): StoredSegment[] =>
  read(reader, project, 's.no >= ?', no);

/** The segments of a project with some numbers, as far as they are stored, in the order of their numbers. */
export const segmentsOf = (reader: Reader, project: number, numbers: readonly number[]): StoredSegment[] =>
  read(reader, project, 's.no IN (SELECT value FROM json_each(?))', JSON.stringify(numbers));

function read(reader: Reader, project: number, where: string, value: SqlValue): StoredSegment[] {
  const rows = reader.rows(
    `SELECT s.no, s.version, s.events, s.first_ts, s.last_ts, s.blocks, f.places
     FROM event_segments s LEFT JOIN event_segment_flips f ON f.no = s.no
     WHERE s.ready = 1 AND s.project = ? AND ${where} ORDER BY s.no`,
    [project, value],
  );
  return rows.map((row) => toStored(project, row));
}

function toStored(project: number, row: readonly SqlValue[]): StoredSegment {
  const [no = 0, version = 0, events = 0, first = 0, last = 0, blocks = 0] = row.slice(0, 6).map(Number);
  const flips = row[6] ?? null;
  return {
    no,
    version,
    project,
    events,
    first,
    last,
    blocks,
    flips: flips === null ? null : String(flips),
  };
}
