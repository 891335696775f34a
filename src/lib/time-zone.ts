import { DAY_MS, floorToDay } from './time.ts';

/** What a person can choose: an IANA name, or the zone of whatever browser they use. */
export const BROWSER_ZONE = 'browser';

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format that writes an instant as numbers of a zone's wall clock. Creating one takes longer than using it. */
const clockOf = (zone: string): Intl.DateTimeFormat => {
  const found =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(zone, found);
  return found;
};

/** Whether a text names a time zone of the IANA database, such as `Europe/Berlin`; an offset names none. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z][\w+\-/]{1,63}$/i.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * What the wall clock of a zone shows at an instant, as the epoch milliseconds at which UTC shows the same.
 * @param zone a valid IANA name
 */
export function wallClock(ms: number, zone: string): number {
  if (zone === 'UTC') return ms;
  const found: Record<string, string> = {};
  for (const { type, value } of clockOf(zone).formatToParts(ms)) found[type] = value;
  const number = (part: string): number => Number(found[part]);
  const year = found.era === 'BC' ? 1 - number('year') : number('year');
  const date = new Date(0);
  date.setUTCFullYear(year, number('month') - 1, number('day'));
  date.setUTCHours(number('hour'), number('minute'), number('second'));
  return date.getTime() + (((ms % 1_000) + 1_000) % 1_000);
}

/**
 * The instant at which the wall clock of a zone shows a time, given as `wallClock` gives it. A time that occurs twice,
 * as when summer time ends, is the first one; one that is skipped is as far after the gap as it is behind its start.
 */
export function instantOf(wall: number, zone: string): number {
  if (zone === 'UTC') return wall;
  const before = wall - (wallClock(wall - DAY_MS, zone) - (wall - DAY_MS));
  if (wallClock(before, zone) === wall) return before;
  const after = wall - (wallClock(wall + DAY_MS, zone) - (wall + DAY_MS));
  return wallClock(after, zone) === wall ? after : before;
}

/** The start of a day in a zone: of the one that contains an instant, or of one `days` later. Epoch milliseconds. */
export const startOfDay = (ms: number, zone: string, days = 0): number =>
  instantOf(floorToDay(wallClock(ms, zone)) + days * DAY_MS, zone);

/** The start of a month in a zone: of the one that contains an instant, or of one `months` later. Epoch milliseconds. */
export function startOfMonthIn(ms: number, zone: string, months = 0): number {
  const date = new Date(wallClock(ms, zone));
  return instantOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1), zone);
}
