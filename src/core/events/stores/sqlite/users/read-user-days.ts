import type { Reader } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import { addFromPage, noSums, readSpan } from './read-user-pages.ts';
import { numbersOf } from './user-numbers.ts';
import { mergeSums, PAGE_USERS } from './user-page.ts';

/** Sums in the order of `USER_COLUMNS` by day, in days since the epoch. */
export type Days = Map<number, number[]>;

/** A user's sealed events on some days since the epoch, from the user sums. */
export function readUserDays(reader: Reader, project: number, userId: string, { from, to }: Window): Days {
  const days: Days = new Map();
  const no = numbersOf(reader, project, [userId]).get(userId);
  if (no === undefined) return days;
  for (const page of readSpan(reader, project, Math.floor(no / PAGE_USERS), { span: 1, from, to })) {
    const sums = noSums();
    addFromPage(sums, page, no);
    if ((sums[0] ?? 0) > 0) addTo(days, page.day, sums);
  }
  return days;
}

export function addTo(days: Days, day: number, sums: readonly number[]): void {
  const known = days.get(day) ?? noSums();
  days.set(day, known);
  mergeSums(known, sums);
}
