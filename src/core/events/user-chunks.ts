import type { SqlValue } from '../../db/connection.ts';
import type { Reader } from '../../db/reader.ts';
import type { Where, Window } from './event-filters.ts';

/**
 * Where the events of one user are: FROM and WHERE over the index of users, which goes by chunk. `+ts` keeps
 * the planner from reading all that happened in the time instead.
 */
export const FROM_USER = `FROM event_chunks CROSS JOIN events
  WHERE event_chunks.project = ? AND last_ts >= ? AND first_ts < ?
    AND events.project = event_chunks.project AND events.chunk = event_chunks.chunk AND user_id = ?
    AND +ts >= ? AND +ts < ?`;

/** One user of a project in a window. */
export type UserWindow = { readonly project: number; readonly userId: string; readonly window: Window };

/** The arguments of `FROM_USER`. */
export const userArgs = ({ project, userId, window: { from, to } }: UserWindow): SqlValue[] => [
  project,
  from,
  to,
  userId,
  from,
  to,
];

/** How many events of a user meet the other conditions. */
export function countOfUser(reader: Reader, user: UserWindow, where: Where): number {
  const [row] = reader.rows(`SELECT count(*) ${FROM_USER}${where.sql}`, [...userArgs(user), ...where.args]);
  return Number(row?.[0] ?? 0);
}

/** Chunks asked together: few at first, because a page of a busy user is found in the newest. */
const GROUP_SIZES = [8, 32, 128, 512];
const LARGEST_GROUP = 2_048;

/** Rows of `columns`, newest first, at most `limit`. `columns` starts with ts and event_id. */
export function pageOfUser(
  reader: Reader,
  user: UserWindow,
  where: Where,
  { columns, limit }: { readonly columns: string; readonly limit: number },
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
      `SELECT ${columns} FROM json_each(?) AS wanted CROSS JOIN events
       WHERE project = ? AND chunk = wanted.value AND user_id = ? AND +ts >= ? AND +ts < ?${where.sql}
       ORDER BY ts DESC, event_id DESC LIMIT ?`,
      [group, project, userId, window.from, window.to, ...where.args, limit],
    );
    rows = [...rows, ...found].sort(newestRowFirst).slice(0, limit);
    start = end;
    // What is left ends before the page does.
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
