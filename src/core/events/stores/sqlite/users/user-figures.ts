import type { Reader } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import type { Where } from '../rows/event-filters.ts';
import { fromUnsealed } from '../rows/unsealed.ts';
import { USER_SUMS_SQL } from './chunk-sums.ts';
import type { FreshUser } from './read-user-pages.ts';

/** Unsealed sums of users in a window. `rest`: conditions on the user's id. */
export function readFreshUsers(reader: Reader, project: number, window: Window, rest: Where): FreshUser[] {
  const keys = { sql: ` AND user_id IS NOT NULL${rest.sql}`, args: rest.args };
  const { sql, args } = fromUnsealed(reader, project, window, keys);
  return readGroups(reader, project, sql, { sql: '', args });
}

/** Sums of users in a window over events that match conditions, from rows alone. */
export function readFilteredUsers(
  reader: Reader,
  project: number,
  window: Window,
  where: Where,
): FreshUser[] {
  const from = 'FROM events WHERE project = ? AND ts >= ? AND ts < ?';
  const args = [project, window.from, window.to, ...where.args];
  return readGroups(reader, project, from, { sql: where.sql, args });
}

function readGroups(reader: Reader, project: number, from: string, rest: Where): FreshUser[] {
  const rows = reader.rows(
    `SELECT event_users.no, grouped.* FROM (
       SELECT user_id, ${USER_SUMS_SQL} ${from} AND user_id IS NOT NULL${rest.sql} GROUP BY user_id
     ) AS grouped
     LEFT JOIN event_users ON event_users.project = ? AND event_users.user_id = grouped.user_id`,
    [...rest.args, project],
  );
  return rows.map(([no = null, userId, ...sums]) => ({
    no: no === null ? null : Number(no),
    userId: String(userId),
    sums: sums.map(Number),
  }));
}
