import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import type { RowSelection } from '../../log/scan/row-selection.ts';
import { type Where, whereOf } from '../rows/event-filters.ts';

/** `+ts` keeps the planner from using the time index instead. */
const OF_USER = 'user_id = ? AND +ts >= ? AND +ts < ?';
/** Keys of one user's events, from the user index alone: in a window, and in chunks of a JSON list. */
const KEYS_OF_USER = `FROM event_chunks CROSS JOIN events
  WHERE event_chunks.project = ? AND last_ts >= ? AND first_ts < ?
    AND events.project = event_chunks.project AND events.chunk = event_chunks.chunk AND ${OF_USER}`;
const KEYS_IN_CHUNKS = `FROM json_each(?) AS wanted CROSS JOIN events
  WHERE project = ? AND chunk = wanted.value AND ${OF_USER}`;

/**
 * The rows of keys. The subquery with LIMIT reads the keys first; in a flat query over columns outside the index, the
 * planner scans the whole project for each chunk.
 */
const rowsOf = (keys: string): string =>
  `FROM (SELECT ts, event_id ${keys} LIMIT -1) CROSS JOIN events USING (ts, event_id) WHERE project = ?`;

/** FROM and WHERE over the rows of one user. */
export const FROM_USER = rowsOf(KEYS_OF_USER);

/** One user of a project in a window. */
export type UserWindow = { readonly project: number; readonly userId: string; readonly window: Window };

const keyArgs = ({ project, userId, window: { from, to } }: UserWindow): SqlValue[] => [
  project,
  from,
  to,
  userId,
  from,
  to,
];

/** The arguments of `FROM_USER`. */
export const userArgs = (user: UserWindow): SqlValue[] => [...keyArgs(user), user.project];

/** The conditions of a selection, except the user's. */
export const besidesUser = (selection: RowSelection): Where =>
  whereOf({ ...selection, filters: { ...selection.filters, userId: undefined } });

/** Whether they all use columns of the user index. */
export const isInIndex = ({ filters, inSession }: RowSelection): boolean =>
  [
    inSession,
    filters.model,
    filters.provider,
    filters.environment,
    filters.sessionId,
    filters.status,
    filters.errorCode,
    filters.costStatus,
    filters.labels,
  ].every((filter) => filter === undefined);

/** Number of a user's rows that match. */
export function countRowsOfUser(reader: Reader, user: UserWindow, selection: RowSelection): number {
  const where = besidesUser(selection);
  const inIndex = isInIndex(selection);
  const [row] = reader.rows(`SELECT count(*) ${inIndex ? KEYS_OF_USER : FROM_USER}${where.sql}`, [
    ...(inIndex ? keyArgs(user) : userArgs(user)),
    ...where.args,
  ]);
  return Number(row?.[0] ?? 0);
}

/** Chunks per query: few at first, because a busy user's page is in the newest chunks. */
const GROUP_SIZES = [2, 8, 32, 128];
const LARGEST_GROUP = 512;

/**
 * Keys (ts and event_id) of rows that match `where`, newest first, at most `limit`.
 * @param inIndex whether `where` uses only columns of the index
 */
export function pageOfUser(
  reader: Reader,
  user: UserWindow,
  where: Where,
  { inIndex, limit }: { readonly inIndex: boolean; readonly limit: number },
): SqlValue[][] {
  const { project, userId, window } = user;
  const chunks = reader.rows(
    `SELECT chunk, last_ts FROM event_chunks
     WHERE project = ? AND last_ts >= ? AND first_ts < ? ORDER BY last_ts DESC`,
    [project, window.from, window.to],
  );
  let rows: SqlValue[][] = [];
  for (let start = 0, round = 0; start < chunks.length; round++) {
    const end = start + (GROUP_SIZES[round] ?? LARGEST_GROUP);
    const group = JSON.stringify(chunks.slice(start, end).map(([chunk]) => chunk));
    const found = reader.rows(
      `SELECT ts, event_id ${inIndex ? KEYS_IN_CHUNKS : rowsOf(KEYS_IN_CHUNKS)}${where.sql}
       ORDER BY ts DESC, event_id DESC LIMIT ?`,
      [group, project, userId, window.from, window.to, ...(inIndex ? [] : [project]), ...where.args, limit],
    );
    rows = [...rows, ...found].sort(newestRowFirst).slice(0, limit);
    start = end;
    // The remaining chunks end before the page's last row.
    const next = chunks[start]?.[1] ?? null;
    if (rows.length === limit && Number(next) < Number(rows.at(-1)?.[0])) break;
  }
  return rows;
}

function newestRowFirst(a: readonly SqlValue[], b: readonly SqlValue[]): number {
  const byTime = Number(b[0]) - Number(a[0]);
  return byTime === 0 ? Buffer.compare(bytesOf(b[1]), bytesOf(a[1])) : byTime;
}

const bytesOf = (value: SqlValue | undefined): Uint8Array => new Uint8Array(value as ArrayBuffer);
