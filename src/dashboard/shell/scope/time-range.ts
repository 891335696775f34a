import { DAY_MS, floorToDay, floorToHour, formatInstant, HOUR_MS, parseInstant } from '../../../lib/time.ts';
import { isOneOf, type WindowSearch } from './search.ts';

/** A stretch of time that a page shows, in epoch milliseconds. `to` null: up to now, as of each request. */
export type TimeRange = { readonly from: number; readonly to: number | null; readonly label: string };

/** Ranges that end now. They begin with a whole hour or day in UTC, so that their first bar is a whole one. */
export const PRESETS = {
  '1h': { label: 'Last hour', from: (now: number) => Math.floor(now / 60_000) * 60_000 - HOUR_MS },
  '24h': { label: 'Last 24 hours', from: (now: number) => floorToHour(now) - 23 * HOUR_MS },
  '7d': { label: 'Last 7 days', from: (now: number) => floorToDay(now) - 6 * DAY_MS },
  '30d': { label: 'Last 30 days', from: (now: number) => floorToDay(now) - 29 * DAY_MS },
  '90d': { label: 'Last 90 days', from: (now: number) => floorToDay(now) - 89 * DAY_MS },
  '12mo': { label: 'Last 365 days', from: (now: number) => floorToDay(now) - 364 * DAY_MS },
  mtd: { label: 'Month to date', from: startOfMonth },
} as const;
export type Preset = keyof typeof PRESETS;
export const DEFAULT_PRESET: Preset = '30d';

function startOfMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

export const isPreset = (name: string | undefined): name is Preset => isOneOf(name, PRESETS);

/** The range that an address asks for; an unreadable one is the default. */
export function rangeOf(search: WindowSearch, now: number): TimeRange {
  const from = parseInstant(search.start ?? '');
  const to = parseInstant(search.end ?? '');
  if (from !== null && (to === null || to >= from)) return { from, to, label: 'Custom range' };
  const { label, from: startOf } = PRESETS[isPreset(search.range) ? search.range : DEFAULT_PRESET];
  return { from: startOf(now), to: null, label };
}

/** The range as parameters of the API. */
export const rangeParams = ({ from, to }: TimeRange): { start: string; end?: string } => ({
  start: formatInstant(from),
  ...(to === null ? {} : { end: formatInstant(to) }),
});

/** The range of equal length just before. `end` is inclusive in the API. */
export const rangeBefore = ({ from, to }: TimeRange, now: number): { start: string; end: string } => ({
  start: formatInstant(from - ((to ?? now) - from)),
  end: formatInstant(from - 1),
});
