import {
  floorToDay,
  floorToHour,
  formatInstant,
  HOUR_MS,
  parseInstant,
  startDaysAgo,
  startOfMonth,
} from '../../../lib/time.ts';
import { isOneOf, type WindowSearch } from './search.ts';

/** A stretch of time that a page shows, in epoch milliseconds. `to` null: up to now, as of each request. */
export type TimeRange = { readonly from: number; readonly to: number | null; readonly label: string };

/** `to`: the last millisecond of a range that has ended. */
type RangePreset = {
  readonly label: string;
  readonly from: (now: number) => number;
  readonly to?: (now: number) => number;
};

/**
 * Ranges by name. They begin with a whole hour or day in UTC, so that their first bar is a whole one: 30 days are
 * those of the API's default and of `--start 30d`.
 */
export const PRESETS = {
  today: { label: 'Today', from: floorToDay },
  yesterday: {
    label: 'Yesterday',
    from: (now: number) => startDaysAgo(now, 1),
    to: (now: number) => floorToDay(now) - 1,
  },
  '1h': { label: 'Last hour', from: (now: number) => Math.floor(now / 60_000) * 60_000 - HOUR_MS },
  '24h': { label: 'Last 24 hours', from: (now: number) => floorToHour(now) - 24 * HOUR_MS },
  '7d': { label: 'Last 7 days', from: (now: number) => startDaysAgo(now, 7) },
  '30d': { label: 'Last 30 days', from: (now: number) => startDaysAgo(now, 30) },
  '90d': { label: 'Last 90 days', from: (now: number) => startDaysAgo(now, 90) },
  '12mo': { label: 'Last 365 days', from: (now: number) => startDaysAgo(now, 365) },
  mtd: { label: 'Month to date', from: startOfMonth },
  lastMonth: {
    label: 'Last month',
    from: (now: number) => startOfMonth(startOfMonth(now) - 1),
    to: (now: number) => startOfMonth(now) - 1,
  },
} as const satisfies Record<string, RangePreset>;
export type Preset = keyof typeof PRESETS;
export const DEFAULT_PRESET: Preset = '30d';

export const isPreset = (name: string | undefined): name is Preset => isOneOf(name, PRESETS);

/** The range that an address asks for; an unreadable one is the default. */
export function rangeOf(search: WindowSearch, now: number): TimeRange {
  const from = parseInstant(search.start ?? '');
  const to = parseInstant(search.end ?? '');
  if (from !== null && (to === null || to >= from)) return { from, to, label: 'Custom range' };
  const preset: RangePreset = PRESETS[isPreset(search.range) ? search.range : DEFAULT_PRESET];
  return { from: preset.from(now), to: preset.to?.(now) ?? null, label: preset.label };
}

/** The range as parameters of the API. */
export const rangeParams = ({ from, to }: TimeRange): { start: string; end?: string } => ({
  start: formatInstant(from),
  ...(to === null ? {} : { end: formatInstant(to) }),
});
