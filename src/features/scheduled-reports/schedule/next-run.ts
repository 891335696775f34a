import { DAY_MS, floorToDay, HOUR_MS } from '../../../lib/time.ts';
import { instantOf, startOfDay, startOfMonthIn, wallClock } from '../../../lib/time-zone.ts';
import type { ReportPeriod } from '../contract.ts';

/** When a report is sent. `day`: weekday 1 (Monday) to 7, or day of the month; unused for daily reports. */
export type Schedule = {
  readonly period: ReportPeriod;
  readonly day: number;
  readonly hour: number;
  readonly timeZone: string;
};

/** Epoch milliseconds, half-open. */
type Span = { readonly from: number; readonly to: number };

/** Every schedule has a run in so many days. */
const LONGEST_MONTH = 32;

/** The first run after an instant, in epoch milliseconds. In an hour that a zone skips, it is an hour later. */
export function nextRun(schedule: Schedule, after: number): number {
  for (let days = 0; days <= LONGEST_MONTH; days++) {
    const at = runOn(schedule, after, days);
    if (at !== null && at > after) return at;
  }
  throw new Error('a schedule has a run in every month');
}

/** The newest run that is not after an instant, in epoch milliseconds. */
export function lastRun(schedule: Schedule, until: number): number {
  for (let days = 0; days >= -LONGEST_MONTH; days--) {
    const at = runOn(schedule, until, days);
    if (at !== null && at <= until) return at;
  }
  throw new Error('a schedule has a run in every month');
}

/** The run on the day that is so many days from an instant; null if there is none. */
function runOn({ period, day, hour, timeZone }: Schedule, near: number, days: number): number | null {
  const wall = floorToDay(wallClock(near, timeZone)) + days * DAY_MS;
  const date = new Date(wall);
  if (period === 'week' && isoWeekday(date) !== day) return null;
  if (period === 'month' && date.getUTCDate() !== day) return null;
  return instantOf(wall + hour * HOUR_MS, timeZone);
}

const isoWeekday = (date: Date): number => ((date.getUTCDay() + 6) % 7) + 1;

/** The last whole day, week from Monday on, or month of the zone before an instant. */
export function periodBefore({ period, timeZone }: Pick<Schedule, 'period' | 'timeZone'>, at: number): Span {
  if (period === 'month') return { from: startOfMonthIn(at, timeZone, -1), to: startOfMonthIn(at, timeZone) };
  const sinceMonday = isoWeekday(new Date(wallClock(at, timeZone))) - 1;
  const [ago, length] = period === 'day' ? [0, 1] : [sinceMonday, 7];
  return { from: startOfDay(at, timeZone, -ago - length), to: startOfDay(at, timeZone, -ago) };
}
