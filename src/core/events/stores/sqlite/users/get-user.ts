import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { UTC_DAYS } from '../../../../../lib/time-buckets.ts';
import type { FoundUser, UserDay, UserQuery } from '../../../read-queries.ts';
import type { EventFilters, Window } from '../../../selection.ts';
import { refuseLost } from '../metrics/gaps.ts';
import { countEvents } from '../queries/count-events.ts';
import type { ChunkRef } from '../scan/chunk.ts';
import { codesOfTime } from '../scan/codes.ts';
import { batchesOf } from '../scan/open-batches.ts';
import { segmentsOf } from '../scan/open-chunks.ts';
import { selectEvents } from '../scan/select-events.ts';
import { sumUsers } from '../scan/sum-users.ts';
import { addTo, type Days, readUserDays } from './read-user-days.ts';
import { sumFigures, toFigures } from './read-user-pages.ts';

const ALL_DAYS = { from: -1e9, to: 1e9 };
const ALL_TIME = { from: -8.64e15, to: 8.64e15 };

/** A user with the sums of their events on some days; null if unknown. */
export function getUser(reader: Reader, query: UserQuery): FoundUser | null {
  const { userId, window, environment } = query;
  const [project] = reader.projects;
  if (project === undefined) return null;
  const known = readUserDays(reader, project, userId, ALL_DAYS);
  addScanned(known, batchesOf(reader, project, ALL_TIME), { userId }, ALL_TIME);
  const all = inOrder(known);
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return null;
  const days =
    environment === undefined
      ? all.filter(({ day }) => isInside(day, window))
      : readDaysOf(reader, project, query, all);
  return {
    first: first.figures.first,
    last: last.figures.last,
    figures: sumFigures(days.map(({ figures }) => figures)),
    days,
  };
}

const isInside = (day: number, { from, to }: Window): boolean => day * DAY_MS >= from && day * DAY_MS < to;

const inOrder = (days: Days): UserDay[] =>
  [...days].sort(([a], [b]) => a - b).map(([day, sums]) => ({ day, figures: toFigures(sums) }));

/** Adds a user's matching events of chunks. */
function addScanned(days: Days, refs: readonly ChunkRef[], filters: EventFilters, window: Window): void {
  for (const ref of refs) {
    const selected = selectEvents(ref.open(), { filters, calls: false }, window);
    if (selected === null) continue;
    for (const { key, sums } of sumUsers(selected, [codesOfTime(selected.columns, UTC_DAYS)]))
      addTo(days, Number(key[0]), sums);
  }
}

/** Maximum number of a user's events to scan if the user sums do not support the query. */
const MAX_EVENTS = 200_000;

/**
 * A user's sums by day in one environment.
 * @param all the user's days in all environments
 * @throws AppError 400 if the user has too many events in the window
 */
function readDaysOf(
  reader: Reader,
  project: number,
  { userId, window, environment }: UserQuery,
  all: readonly UserDay[],
): UserDay[] {
  const segments = all
    .filter(({ day }) => isInside(day, window))
    .flatMap(({ day }) => segmentsOf(reader, project, { from: day * DAY_MS, to: (day + 1) * DAY_MS }));
  const refs = [...segments, ...batchesOf(reader, project, window)];
  refuseLost(reader, project, window);
  refuseTooMany(countEvents(reader, { filters: { userId }, calls: false }, window));
  const days: Days = new Map();
  addScanned(days, refs, { userId, environment }, window);
  return inOrder(days);
}

function refuseTooMany(count: number): void {
  if (count <= MAX_EVENTS) return;
  const [most, has] = [MAX_EVENTS, count].map((events) => events.toLocaleString('en-US'));
  throw badRequest(
    `start: with environment the user may have at most ${most} events in the days, not ${has}; choose fewer days`,
  );
}
