import type { Reader } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import type { Where } from './event-filters.ts';

const ANY: Where = { sql: '', args: [] };

/**
 * FROM and WHERE over the rows of a project in a window that lie in chunks which are not sealed. Their keys
 * come first, from an index alone, kept apart by LIMIT: asked in one go the planner reads the whole project.
 * `+chunk` keeps it from reading all newer chunks for each, `+ts` from reading all that happened in the time.
 * @param keys conditions on columns that an index by chunk has (trace_id, or user_id)
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
