import type { Reader } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import type { Where } from './event-filters.ts';

const ANY: Where = { sql: '', args: [] };

/**
 * FROM and WHERE over a project's rows in a window that are in unsealed chunks. A subquery with LIMIT reads their
 * keys first, from an index alone; in a flat query the planner scans the whole project. `+chunk` and `+ts` keep it
 * from using worse indexes.
 * @param keys conditions on columns of an index by chunk (trace_id or user_id)
 */
export function fromUnsealed(reader: Reader, project: number, { from, to }: Window, keys = ANY): Where {
  const [seal] = reader.rows('SELECT chunk FROM chunk_seals WHERE project = ?', [project]);
  const sql = `FROM (
      SELECT ts, event_id FROM event_chunks CROSS JOIN events
      WHERE event_chunks.project = ? AND +event_chunks.chunk > ? AND last_ts >= ? AND first_ts < ?
        AND events.project = event_chunks.project AND events.chunk = event_chunks.chunk
        AND +ts >= ? AND +ts < ?${keys.sql} LIMIT -1
    ) CROSS JOIN events USING (ts, event_id) WHERE project = ?`;
  return { sql, args: [project, seal?.[0] ?? -1, from, to, from, to, ...keys.args, project] };
}
