import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';

/** Ids per statement, always the same number, so that it is prepared once. */
const CHUNK = 64;
const MARKS = Array.from({ length: CHUNK }, () => '(?)').join(', ');

/**
 * The subquery reads the keys first, from the index alone, with one probe per pair of trace and chunk in the window.
 * In a flat query the planner scans the whole project.
 */
const KEYS = `ids (id) AS (VALUES ${MARKS}),
  keys AS MATERIALIZED (
    SELECT ts, event_id FROM event_chunks CROSS JOIN ids CROSS JOIN events
    WHERE event_chunks.project = ? AND last_ts >= ? AND first_ts < ?
      AND events.project = event_chunks.project AND events.chunk = event_chunks.chunk AND trace_id = ids.id
      AND ts >= ? AND ts < ?
  )`;

/** Some traces in a window, with one index probe per pair of trace and chunk. */
export type TracesBetween = {
  readonly project: number;
  readonly window: Window;
  /** Distinct. */
  readonly traceIds: readonly SqlValue[];
};

/**
 * Rows of `SELECT columns FROM events` over some traces in a window.
 * @param rest further conditions and GROUP BY, with their arguments
 */
export function readTracesBetween(
  reader: Reader,
  { project, window: { from, to }, traceIds }: TracesBetween,
  columns: string,
  rest: { readonly sql: string; readonly args: readonly SqlValue[] },
): SqlValue[][] {
  const rows: SqlValue[][] = [];
  for (let start = 0; start < traceIds.length; start += CHUNK) {
    const ids = Array.from({ length: CHUNK }, (_, i) => traceIds[start + i] ?? null);
    const found = reader.rows(
      `WITH ${KEYS} SELECT ${columns} FROM keys CROSS JOIN events USING (ts, event_id)
       WHERE project = ?${rest.sql}`,
      [...ids, project, from, to, from, to, project, ...rest.args],
    );
    for (const row of found) rows.push(row);
  }
  return rows;
}
