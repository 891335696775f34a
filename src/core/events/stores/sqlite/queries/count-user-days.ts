import type { Reader } from '../../../../../db/reader.ts';
import type { Selection, Window } from '../../../selection.ts';
import { addFromPage, noSums, readUserPages } from '../users/read-user-pages.ts';
import { PAGE_USERS, U } from '../users/user-page.ts';

/** User sums support only two selections of a user: all events, and all calls. */
export const isSummedByUser = ({ filters: { userId, ...others }, inSession }: Selection): boolean =>
  userId !== undefined && !inSession && Object.values(others).every((filter) => filter === undefined);

/** Number of a user's sealed events, or calls, on some days since the epoch. */
export function countDaysOfUser(
  reader: Reader,
  project: number,
  { filters: { userId = '' }, calls }: Selection,
  days: Window,
): number {
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
