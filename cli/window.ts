import { HOUR_MS, MINUTE_MS, parseInstant, startDaysAgo } from '../src/lib/time.ts';
import { usageError } from './user-error.ts';

/** Options of a command with a time window. */
export const windowOptions = {
  start: { value: 'TIME', summary: 'From: 7d, 24h, 2026-01-31 or an ISO 8601 time; 30 days ago by default' },
  end: {
    value: 'TIME',
    summary: 'To, in the same formats; before a date or day: 2026-02-01 ends with January; now by default',
  },
} as const;

const days = { d: 1, w: 7 } as const;

/**
 * Parses a time: `now`, an age, a date (midnight UTC) or an ISO 8601 time. An age in days or weeks (`7d`, `2w`) is the
 * start of that UTC day, as in the dashboard; one in minutes or hours (`30m`, `24h`) is exact.
 * @returns epoch milliseconds
 * @throws {UserError} usage (2)
 * @example parseMoment('--start', '24h', Date.now())
 */
export const parseMoment = (flag: string, text: string, now: number): number => {
  if (text === 'now') return now;
  const age = text.match(/^(\d{1,5})([mhdw])$/);
  const instant = age ? momentOf(age, now) : parseInstant(text);
  if (instant !== null) return instant;
  throw usageError(
    `${flag} ${JSON.stringify(text)} is not a time`,
    'Write an age such as 7d or 24h, a date such as 2026-01-31, or an ISO 8601 time',
  );
};

const momentOf = ([, count, unit]: RegExpMatchArray, now: number): number =>
  unit === 'd' || unit === 'w'
    ? startDaysAgo(now, Number(count) * days[unit])
    : now - Number(count) * (unit === 'h' ? HOUR_MS : MINUTE_MS);

/**
 * The last millisecond of a window. A date, and an age in days or weeks, is the start of a day, which does not belong to
 * the window: two months side by side share no event. An exact time belongs to it, as in the API.
 * @returns epoch milliseconds
 * @throws {UserError} usage (2)
 */
export const parseEnd = (text: string, now: number): number =>
  parseMoment('--end', text, now) - (/^(\d{1,5}[dw]|\d{4}-\d\d-\d\d)$/.test(text) ? 1 : 0);

/** The given bounds as epoch milliseconds. Throws usage (2) if the start is not before the end. */
export const parseWindow = (
  given: { readonly start: string | undefined; readonly end: string | undefined },
  now: number,
): { start?: number; end?: number } => {
  const window: { start?: number; end?: number } = {};
  if (given.start !== undefined) window.start = parseMoment('--start', given.start, now);
  if (given.end !== undefined) window.end = parseEnd(given.end, now);
  if ((window.start ?? 0) >= (window.end ?? now))
    throw usageError('--start is not before --end', 'Swap them');
  return window;
};

/** Bounds as query parameters of an endpoint: ISO 8601. */
export const toQuery = ({
  start,
  end,
}: {
  readonly start?: number;
  readonly end?: number;
}): { readonly start: string | undefined; readonly end: string | undefined } => ({
  start: start === undefined ? undefined : new Date(start).toISOString(),
  end: end === undefined ? undefined : new Date(end).toISOString(),
});
