import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import type { PageQuery, SessionPage } from '../../../read-queries.ts';
import { readPage } from '../queries/list-events.ts';
import { decodeCursor, encodeCursor, type Position } from '../rows/cursor.ts';
import { whereOf } from '../rows/event-filters.ts';
import { bytesToUuid, UUID } from '../rows/ids.ts';
import { C } from '../rows/row.ts';
import { readSession } from './session-line.ts';
import { FROM_TIMES, sessionTimes } from './session-times.ts';

/** Rows per read and per page; one busy session may use them up. */
const ROWS = 500;
const MAX_ROWS = 10_000;
const ALL_TIME = { from: -8.64e15, to: 8.64e15 };

/**
 * Sessions by the time of their last matching event, newest first, each with the sums of all its events. A session
 * that receives events during paging moves to the front. A page may have fewer than `limit` entries and still be
 * followed by another. Throws 400 for an invalid cursor.
 */
export function listSessions(reader: Reader, query: PageQuery): SessionPage {
  const [project] = reader.projects;
  if (project === undefined) return { sessions: [], nextCursor: null };
  const after = query.cursor === null ? null : decodeCursor(query.cursor, (id) => UUID.test(id));
  const { found, next } = findSessions(reader, project, query, after);
  const ids = [...found.keys()];
  const earlier = after === null ? new Set() : seenAfter(reader, project, query, { ids, after });
  const shown = ids.filter((id) => !earlier.has(id));
  const times = sessionTimes(reader, project, shown, ALL_TIME);
  return {
    sessions: shown.flatMap((id) => readSession(reader, project, id, times.get(id) ?? []) ?? []),
    nextCursor: next === null ? null : encodeCursor(next),
  };
}

/** The sessions of the rows after a position, and the start of the next page. */
function findSessions(
  reader: Reader,
  project: number,
  query: PageQuery,
  after: Position | null,
): { found: Map<string, Position>; next: Position | null } {
  const found = new Map<string, Position>();
  let place = after;
  for (let read = 0; read < MAX_ROWS; read += ROWS) {
    const rows = readPage(reader, project, { ...query, inSession: true, limit: ROWS }, place);
    for (const row of rows.slice(0, ROWS)) {
      const id = String(row[C.session_id]);
      if (!found.has(id) && found.size === query.limit) return { found, next: place };
      place = positionOf(row);
      if (!found.has(id)) found.set(id, place);
    }
    if (rows.length <= ROWS) return { found, next: null };
  }
  return { found, next: place };
}

const positionOf = (row: readonly SqlValue[]): Position => ({
  ts: Number(row[C.ts]),
  id: bytesToUuid(row[C.event_id] ?? null),
});

/** Of some sessions, those with a matching event before a position in the list; an earlier page listed them. */
function seenAfter(
  reader: Reader,
  project: number,
  query: PageQuery,
  { ids, after }: { readonly ids: readonly string[]; readonly after: Position },
): Set<string> {
  const window = { from: after.ts, to: query.window.to };
  const where = whereOf(query);
  const seen = [...sessionTimes(reader, project, ids, window)].filter(([id, times]) => {
    const rows = reader.rows(
      `SELECT 1 ${FROM_TIMES} AND session_id = ? AND (ts, event_id) >= (?, ?)${where.sql} LIMIT 1`,
      [
        JSON.stringify(times),
        project,
        id,
        after.ts,
        Buffer.from(after.id.replaceAll('-', ''), 'hex'),
        ...where.args,
      ],
    );
    return rows.length > 0;
  });
  return new Set(seen.map(([id]) => id));
}
