import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { FoundUser, UserDay, UserQuery } from '../../../read-queries.ts';
import type { Window } from '../../../selection.ts';
import { fromUnsealed } from '../rows/unsealed.ts';
import { USER_SUMS_SQL } from './chunk-sums.ts';
import { countOfUser } from './count-user.ts';
import { addFromPage, noSums, readSpan, sumFigures, toFigures } from './read-user-pages.ts';
import { FROM_USER, userArgs } from './user-chunks.ts';

import { mergeSums, PAGE_USERS } from './user-page.ts';

const ALL_DAYS = { span: 1, from: -1e9, to: 1e9 };
const ALL_TIME = { from: -8.64e15, to: 8.64e15 };

const SELECT_DAYS = `SELECT CAST(floor(ts / ${DAY_MS}.0) AS INTEGER) AS day, ${USER_SUMS_SQL}`;

/** A user with the sums of their events on some days; null if unknown. */
export function getUser(reader: Reader, { userId, window, environment }: UserQuery): FoundUser | null {
  const all = readUserDays(reader, userId);
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return null;
  const days =
    environment === undefined
      ? all.filter(({ day }) => day * DAY_MS >= window.from && day * DAY_MS < window.to)
      : readUserDaysOf(reader, userId, { environment, window });
  return {
    first: first.figures.first,
    last: last.figures.last,
    figures: sumFigures(days.map(({ figures }) => figures)),
    days,
  };
}

/** A user's sums by day since their first event; empty if unknown. */
export function readUserDays(reader: Reader, userId: string): UserDay[] {
  const [project] = reader.projects;
  if (project === undefined) return [];
  const days = new Map<number, number[]>();
  const sumsOf = (day: number): number[] => {
    const sums = days.get(day) ?? noSums();
    days.set(day, sums);
    return sums;
  };
  const [known] = reader.rows('SELECT no FROM event_users WHERE project = ? AND user_id = ?', [
    project,
    userId,
  ]);
  if (known !== undefined) {
    const no = Number(known[0]);
    for (const page of readSpan(reader, project, Math.floor(no / PAGE_USERS), ALL_DAYS)) {
      const sums = noSums();
      addFromPage(sums, page, no);
      if ((sums[0] ?? 0) > 0) mergeSums(sumsOf(page.day), sums);
    }
  }
  const own = { sql: ' AND user_id = ?', args: [userId] };
  const { sql, args } = fromUnsealed(reader, project, ALL_TIME, own);
  const fresh = reader.rows(`${SELECT_DAYS} ${sql} GROUP BY day`, [...args]);
  for (const [day, ...sums] of fresh) mergeSums(sumsOf(Number(day)), sums.map(Number));
  return [...days].sort(([a], [b]) => a - b).map(([day, sums]) => ({ day, figures: toFigures(sums) }));
}

/** Maximum number of a user's rows to read if the user sums do not support the query. */
const MAX_ROWS = 200_000;

/**
 * A user's sums by day in one environment, in a window of whole days. Throws 400 if the user has too many events in
 * it.
 */
function readUserDaysOf(
  reader: Reader,
  userId: string,
  { environment, window }: { readonly environment: string; readonly window: Window },
): UserDay[] {
  const [project] = reader.projects;
  if (project === undefined) return [];
  const user = { project, userId, window };
  const count = countOfUser(reader, user, { filters: {}, calls: false });
  if (count > MAX_ROWS) {
    const [most, has] = [MAX_ROWS, count].map((rows) => rows.toLocaleString('en-US'));
    throw badRequest(
      `start: with environment the user may have at most ${most} events in the days, not ${has}; choose fewer days`,
    );
  }
  const rows = reader.rows(`${SELECT_DAYS} ${FROM_USER} AND environment = ? GROUP BY day ORDER BY day`, [
    ...userArgs(user),
    environment,
  ]);
  return rows.map(([day, ...sums]) => ({ day: Number(day), figures: toFigures(sums.map(Number)) }));
}
