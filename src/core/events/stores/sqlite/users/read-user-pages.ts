import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { UserFigures } from '../../../read-queries.ts';
import type { Window } from '../../../selection.ts';
import { bufferOf } from '../sums/blob.ts';
import {
  decodeUserPage,
  mergeSums,
  PAGE_USERS,
  U,
  USER_COLUMNS,
  USER_SPANS,
  type UserPage,
} from './user-page.ts';

/** Unsealed sums of a user; `no` is null if the user has no number yet. */
export type FreshUser = {
  readonly no: number | null;
  readonly userId: string;
  readonly sums: readonly number[];
};

/** A page of users on a day, or on several days starting with it. */
export type DayPage = UserPage & { readonly page: number; readonly day: number };

/** The sealed sums of a page of users over whole days, from pages of eight days where possible. */
export function readUserPages(reader: Reader, project: number, page: number, days: Window): DayPage[] {
  const [, span] = USER_SPANS;
  const first = Math.ceil(days.from / span) * span;
  const end = Math.floor(days.to / span) * span;
  if (first >= end) return readSpan(reader, project, page, { span: 1, ...days });
  return [
    ...readSpan(reader, project, page, { span: 1, from: days.from, to: first }),
    ...readSpan(reader, project, page, { span, from: first, to: end }),
    ...readSpan(reader, project, page, { span: 1, from: end, to: days.to }),
  ];
}

/** The sealed sums day by day: `span` is 1. */
export function readSpan(
  reader: Reader,
  project: number,
  page: number,
  { span, from, to }: Window & { readonly span: number },
): DayPage[] {
  if (from >= to) return [];
  const rows = reader.rows(
    'SELECT day, sums FROM user_days WHERE project = ? AND page = ? AND span = ? AND day >= ? AND day < ?',
    [project, page, span, from, to],
  );
  return rows.map(([day, blob]) => ({ page, day: Number(day), ...decodeUserPage(bufferOf(blob)) }));
}

/** Empty sums. */
export function noSums(): number[] {
  const sums = USER_COLUMNS.map(() => 0);
  sums[U.first] = Number.POSITIVE_INFINITY;
  return sums;
}

/** Adds a user's sums from a page, if any; times become epoch milliseconds. */
export function addFromPage(sums: number[], { page, day, slots, columns }: DayPage, no: number): void {
  if (Math.floor(no / PAGE_USERS) !== page) return;
  const place = placeOf(slots, no % PAGE_USERS);
  if (place === -1) return;
  const added = columns.map((values) => values[place] ?? 0);
  added[U.first] = (added[U.first] ?? 0) + day * DAY_MS;
  added[U.last] = (added[U.last] ?? 0) + day * DAY_MS;
  mergeSums(sums, added);
}

export const toFigures = (sums: readonly number[]): UserFigures =>
  Object.fromEntries(USER_COLUMNS.map((name, place) => [name, sums[place] ?? 0])) as UserFigures;

/** Merges the figures of several days. */
export function sumFigures(figures: readonly UserFigures[]): UserFigures {
  const sums = noSums();
  for (const own of figures) {
    mergeSums(
      sums,
      USER_COLUMNS.map((name) => own[name]),
    );
  }
  return toFigures(sums);
}

function placeOf(slots: Uint16Array, slot: number): number {
  let [low, high] = [0, slots.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((slots[middle] ?? 0) < slot) low = middle + 1;
    else high = middle;
  }
  return slots[low] === slot ? low : -1;
}
