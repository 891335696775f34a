/** Milliseconds of an hour. UTC hours and days have a fixed length here: leap seconds are ignored. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const MINUTE_MS = 60_000;
const SPACE = 32;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const COLON = 58;

/** The two decimal digits at `at`, or -1. */
const twoDigits = (text: string, at: number): number => {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
};

/** `upper` or its lower-case letter. */
const isLetter = (code: number, upper: number): boolean => code === upper || code === upper + 32;

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (isLeapYear(year) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1);

/** Days since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"). */
const epochDay = (year: number, month: number, day: number): number => {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const century = Math.floor(yearOfEra / 100);
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - century + dayOfYear - 719_468;
};

/** The date in the first ten characters as epoch days, or null. */
const parseDate = (text: string): number | null => {
  const century = twoDigits(text, 0);
  const yearOfCentury = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (century < 0 || yearOfCentury < 0 || text.charCodeAt(4) !== MINUS || text.charCodeAt(7) !== MINUS) {
    return null;
  }
  const year = century * 100 + yearOfCentury;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  return epochDay(year, month, day);
};

/** The zone from `at` to the end as minutes east of UTC, or null if invalid. An empty zone is UTC. */
const parseZone = (text: string, at: number): number | null => {
  const left = text.length - at;
  if (left === 0) return 0;
  const sign = text.charCodeAt(at);
  if (isLetter(sign, 90)) return left === 1 ? 0 : null;
  if ((sign !== PLUS && sign !== MINUS) || left !== 6 || text.charCodeAt(at + 3) !== COLON) return null;
  const hours = twoDigits(text, at + 1);
  const minutes = twoDigits(text, at + 4);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return null;
  return (sign === MINUS ? -1 : 1) * (hours * 60 + minutes);
};

/**
 * Parses an RFC 3339 instant (the ISO 8601 profile): `2026-01-31T12:00:00.123Z`. Two extensions: a missing zone is
 * UTC, and a bare date is midnight UTC. A fraction of any length is truncated to milliseconds. Dates that do not
 * exist, hour 24 and leap seconds are refused.
 * @returns epoch milliseconds, or null if invalid.
 * @example parseInstant('2026-01-31T13:00:00+01:00') === Date.UTC(2026, 0, 31, 12)
 */
export const parseInstant = (text: string): number | null => {
  const days = parseDate(text);
  if (days === null) return null;
  if (text.length === 10) return days * DAY_MS;
  const separator = text.charCodeAt(10);
  if (!isLetter(separator, 84) && separator !== SPACE) return null;
  const hours = twoDigits(text, 11);
  const minutes = twoDigits(text, 14);
  const seconds = twoDigits(text, 17);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59) return null;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return null;

  let at = 19;
  let fraction = 0;
  if (text.charCodeAt(at) === DOT) {
    let weight = 100;
    for (at++; ; at++) {
      const digit = text.charCodeAt(at) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      if (weight >= 1) fraction += digit * weight;
      weight /= 10;
    }
    if (at === 20) return null;
  }
  const zone = parseZone(text, at);
  if (zone === null) return null;
  return days * DAY_MS + hours * HOUR_MS + (minutes - zone) * MINUTE_MS + seconds * 1000 + fraction;
};

/**
 * Formats an instant as ISO 8601 in UTC with milliseconds, the format of every time in a reply.
 * @param ms epoch milliseconds.
 * @throws RangeError when `ms` is outside the range of a Date.
 * @example formatInstant(0) === '1970-01-01T00:00:00.000Z'
 */
export const formatInstant = (ms: number): string => new Date(ms).toISOString();

/** The start of the UTC hour that contains `ms`; both are epoch milliseconds. */
export const floorToHour = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

/** The start of the UTC day that contains `ms`; both are epoch milliseconds. */
export const floorToDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** The start of the UTC day `days` days before `now`; both are epoch milliseconds. "Last 30 days" begins there. */
export const startDaysAgo = (now: number, days: number): number => floorToDay(now) - days * DAY_MS;

/** The start of the UTC month that contains `ms`; both are epoch milliseconds. */
export const startOfMonth = (ms: number): number => {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
};

/** The start of the UTC month after the one that contains `ms`; both are epoch milliseconds. */
export const startOfNextMonth = (ms: number): number => {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
};

/**
 * The UTC month of an instant in epoch milliseconds.
 * @example monthKey(Date.UTC(2026, 0, 31)) === '2026-01'
 */
export const monthKey = (ms: number): string => formatInstant(ms).slice(0, 7);
