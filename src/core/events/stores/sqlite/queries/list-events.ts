import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import type { EventPage, StoredEvent } from '../../../contract.ts';
import type { NewestQuery, PageQuery } from '../../../read-queries.ts';
import type { Selection, Window } from '../../../selection.ts';
import { withLabels } from '../labels/label-filter.ts';
import { busyHours, narrowsHours } from '../rows/busy-hours.ts';
import { decodeCursor, encodeCursor, newestFirst, type Position } from '../rows/cursor.ts';
import { type Where, whereOf } from '../rows/event-filters.ts';
import { bytesToUuid, UUID, uuidToBytes } from '../rows/ids.ts';
import { C, EVENT_SELECT, fromRow } from '../rows/row.ts';
import { FROM_TIMES, sessionTimes } from '../sessions/session-times.ts';
import { besidesUser, isInIndex, pageOfUser, type UserWindow } from '../users/user-chunks.ts';
import { countEvents } from './count-events.ts';

/**
 * Rows, newest first, then by event id descending. This is the key's order, so new events do not shift existing ones
 * between pages. `total` counts all stored events that match. Throws 400 for an invalid cursor, and for a count that
 * would take too long (`countEvents`).
 */
export function listEvents(reader: Reader, given: PageQuery): EventPage {
  const query = withLabels(reader, given);
  const total = countEvents(reader, query, query.window);
  return { ...pageOfEvents(reader, query), total };
}

/** Like `listEvents` but without the count, for reading page after page. */
export function pageOfEvents(reader: Reader, given: PageQuery): Omit<EventPage, 'total'> {
  const query = withLabels(reader, given);
  const after = query.cursor === null ? null : decodeCursor(query.cursor, (id) => UUID.test(id));
  const rows = reader.projects
    .flatMap((project) => readPage(reader, project, query, after))
    .sort((a, b) => newestFirst(positionAt(a), positionAt(b)));
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    events: page.map(fromRow),
    nextCursor: rows.length > query.limit && last !== undefined ? encodeCursor(positionAt(last)) : null,
  };
}

/** Some fields of the newest rows that match, without a count: at most `limit`. */
export function newestEvents<F extends keyof StoredEvent>(
  reader: Reader,
  { fields, ...query }: NewestQuery<F>,
): Pick<StoredEvent, F>[] {
  const pick = (event: StoredEvent): Pick<StoredEvent, F> =>
    Object.fromEntries(fields.map((name) => [name, event[name]])) as Pick<StoredEvent, F>;
  return reader.projects
    .flatMap((project) => readPage(reader, project, query, null))
    .sort((a, b) => newestFirst(positionAt(a), positionAt(b)))
    .slice(0, query.limit)
    .map((row) => pick(fromRow(row)));
}

const positionAt = (row: readonly SqlValue[]): Position => ({
  ts: Number(row[C.ts]),
  id: bytesToUuid(row[C.event_id] ?? null),
});

/** Rows of `EVENT_SELECT` after a position: one more than the page needs, if available. */
export function readPage(
  reader: Reader,
  project: number,
  query: Omit<PageQuery, 'cursor'>,
  after: Position | null,
): SqlValue[][] {
  const window = after === null ? query.window : upTo(query.window, after.ts);
  const { userId, sessionId } = query.filters;
  if (sessionId !== undefined) {
    return readPageOfSession(reader, { project, sessionId, window }, query, after);
  }
  if (userId !== undefined) return readPageOfUser(reader, { project, userId, window }, query, after);
  const where = whereOf(query);
  const stretches = narrowsHours(query) ? busyHours(reader, project, query, window) : [window];
  const rows: SqlValue[][] = [];
  for (const { from, to } of stretches) {
    const found = reader.rows(
      `SELECT ${EVENT_SELECT} FROM events
       WHERE project = ? AND ts >= ? AND ts < ?${where.sql}${after === null ? '' : ` AND ${PAST}`}
       ORDER BY ts DESC, event_id DESC LIMIT ?`,
      [
        project,
        from,
        to,
        ...where.args,
        ...(after === null ? [] : [after.ts, uuidToBytes(after.id)]),
        query.limit + 1 - rows.length,
      ],
    );
    rows.push(...found);
    if (rows.length > query.limit) break;
  }
  return rows;
}

/** Times per query. */
const TIMES = 500;

function readPageOfSession(
  reader: Reader,
  { project, sessionId, window }: { project: number; sessionId: string; window: Window },
  query: Pick<PageQuery, keyof Selection | 'limit'>,
  after: Position | null,
): SqlValue[][] {
  const times = sessionTimes(reader, project, [sessionId], window).get(sessionId) ?? [];
  const where = whereOf(query);
  const past = after === null ? where : and(where, PAST, [after.ts, uuidToBytes(after.id)]);
  const rows: SqlValue[][] = [];
  for (let end = times.length; end > 0 && rows.length <= query.limit; end -= TIMES) {
    const found = reader.rows(
      `SELECT ${EVENT_SELECT} ${FROM_TIMES}${past.sql} ORDER BY ts DESC, event_id DESC LIMIT ?`,
      [
        JSON.stringify(times.slice(Math.max(0, end - TIMES), end)),
        project,
        ...past.args,
        query.limit + 1 - rows.length,
      ],
    );
    rows.push(...found);
  }
  return rows;
}

function readPageOfUser(
  reader: Reader,
  user: UserWindow,
  query: Pick<PageQuery, keyof Selection | 'limit'>,
  after: Position | null,
): SqlValue[][] {
  const where = besidesUser(query);
  const past = after === null ? where : and(where, PAST, [after.ts, uuidToBytes(after.id)]);
  const keys = pageOfUser(reader, user, past, { inIndex: isInIndex(query), limit: query.limit + 1 });
  return keys.flatMap(([ts = null, id = null]) =>
    reader.rows(`SELECT ${EVENT_SELECT} FROM events WHERE project = ? AND ts = ? AND event_id = ?`, [
      user.project,
      ts,
      toBytes(id),
    ]),
  );
}

/** Condition for rows after a position. */
const PAST = '(ts, event_id) < (?, ?)';

const and = (where: Where, condition: string, args: readonly SqlValue[]): Where => ({
  sql: `${where.sql} AND ${condition}`,
  args: [...where.args, ...args],
});

const toBytes = (value: SqlValue): SqlValue => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);

const upTo = ({ from, to }: Window, ts: number): Window => ({ from, to: Math.min(to, ts + 1) });
