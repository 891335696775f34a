import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { Window } from '../../../selection.ts';
import type { RowSelection } from '../../log/scan/row-selection.ts';
import { rowsFrom } from '../rollups/split-window.ts';
import { fromUnsealed } from '../rows/unsealed.ts';
import { addFromPage, noSums, readUserPages } from './read-user-pages.ts';
import { besidesUser, countRowsOfUser, isInIndex, type UserWindow } from './user-chunks.ts';
import { PAGE_USERS, U } from './user-page.ts';

/**
 * Number of a user's stored events that match. Whole days come from the user sums if they support the selection, so
 * that the time depends on days, not events; the rest comes from rows.
 */
export function countOfUser(reader: Reader, user: UserWindow, selection: RowSelection): number {
  const { project, window } = user;
  const days = isSummed(selection) ? wholeDays(reader, project, window) : null;
  if (days === null) return countRowsOfUser(reader, user, selection);
  const [from, to] = [days.from * DAY_MS, days.to * DAY_MS];
  const edges = [
    { from: window.from, to: from },
    { from: to, to: window.to },
  ];
  const atEdges = edges.map((edge) => countRowsOfUser(reader, { ...user, window: edge }, selection));
  const between = { ...user, window: { from, to } };
  return atEdges.reduce(
    (sum, count) => sum + count,
    countSealed(reader, user, days, selection.calls) + countUnsealed(reader, between, selection),
  );
}

/** User sums support only two selections: all events, and all calls. */
const isSummed = (selection: RowSelection): boolean =>
  isInIndex(selection) && selection.filters.kind === undefined;

/** The days of a window whose rows are all still stored. */
function wholeDays(reader: Reader, project: number, window: Window): Window | null {
  const from = Math.ceil(Math.max(window.from, rowsFrom(reader, project)) / DAY_MS);
  const to = Math.floor(window.to / DAY_MS);
  return from < to ? { from, to } : null;
}

function countSealed(reader: Reader, { project, userId }: UserWindow, days: Window, calls: boolean): number {
  const [row] = reader.rows('SELECT no FROM event_users WHERE project = ? AND user_id = ?', [
    project,
    userId,
  ]);
  if (row === undefined) return 0;
  const no = Number(row[0]);
  const sums = noSums();
  for (const page of readUserPages(reader, project, Math.floor(no / PAGE_USERS), days))
    addFromPage(sums, page, no);
  return sums[calls ? U.requests : U.events] ?? 0;
}

function countUnsealed(
  reader: Reader,
  { project, userId, window }: UserWindow,
  selection: RowSelection,
): number {
  const where = besidesUser(selection);
  const keys = { sql: ` AND user_id = ?${where.sql}`, args: [userId, ...where.args] };
  const { sql, args } = fromUnsealed(reader, project, window, keys);
  const [row] = reader.rows(`SELECT count(*) ${sql}`, [...args]);
  return Number(row?.[0] ?? 0);
}
