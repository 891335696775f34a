import type { Reader } from '../../../../../db/reader.ts';
import type { StoredEvent } from '../../../contract.ts';
import type { SessionEventsQuery } from '../../../read-queries.ts';
import { decodeCursor, encodeCursor } from '../rows/cursor.ts';
import { whereOf } from '../rows/event-filters.ts';
import { bytesToUuid, UUID, uuidToBytes } from '../rows/ids.ts';
import { C, EVENT_SELECT, fromRow } from '../rows/row.ts';
import { FROM_TIMES, sessionTimes } from './session-times.ts';

/** Times per query. */
const TIMES = 500;
const END_OF_TIME = 8.64e15;

/**
 * The events of a session, oldest first, like a conversation. Null on the first page of an unknown session. Throws
 * 400 for an invalid cursor.
 */
export function listSessionEvents(
  reader: Reader,
  { sessionId, filters, calls, cursor, limit }: SessionEventsQuery,
): { readonly events: StoredEvent[]; readonly nextCursor: string | null } | null {
  const after = cursor === null ? null : decodeCursor(cursor, (id) => UUID.test(id));
  const [project] = reader.projects;
  if (project === undefined) return null;
  const window = { from: after?.ts ?? -END_OF_TIME, to: END_OF_TIME };
  const times = sessionTimes(reader, project, [sessionId], window).get(sessionId) ?? [];
  if (times.length === 0 && after === null) return null;
  const where = whereOf({ filters: { ...filters, sessionId }, calls });
  const past = after === null ? '' : ' AND (ts, event_id) > (?, ?)';
  const rows = [];
  for (let start = 0; start < times.length && rows.length <= limit; start += TIMES) {
    const found = reader.rows(
      `SELECT ${EVENT_SELECT} ${FROM_TIMES}${where.sql}${past} ORDER BY ts, event_id LIMIT ?`,
      [
        JSON.stringify(times.slice(start, start + TIMES)),
        project,
        ...where.args,
        ...(after === null ? [] : [after.ts, uuidToBytes(after.id)]),
        limit + 1 - rows.length,
      ],
    );
    rows.push(...found);
  }
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    events: page.map(fromRow),
    nextCursor:
      rows.length > limit && last !== undefined
        ? encodeCursor({ ts: Number(last[C.ts]), id: bytesToUuid(last[C.event_id] ?? null) })
        : null,
  };
}
