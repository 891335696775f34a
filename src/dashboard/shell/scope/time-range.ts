import { formatInstant, HOUR_MS, MINUTE_MS, parseInstant } from '../../../lib/time.ts';
import { startOfDay, startOfMonthIn, wallClock } from '../../../lib/time-zone.ts';
import { UTC, type Zone } from '../../ui/format.ts';
import { isOneOf, type WindowSearch } from './search.ts';

/** A stretch of time that a page shows, in epoch milliseconds. `to` null: up to now, as of each request. */
export type TimeRange = { readonly from: number; readonly to: number | null; readonly label: string };

/** `to`: the last millisecond of a range that has ended. */
type RangePreset = {
  readonly label: string;
  readonly from: (now: number, zone: Zone) => number;
  readonly to?: (now: number, zone: Zone) => number;
};

/** The start of the hour that the wall clock of a zone shows: in some zones hours begin at half past. */
const startOfHour = (ms: number, zone: Zone): number => {
  const past = wallClock(ms, zone) % HOUR_MS;
  return ms - past;
};
const lastDays = (days: number): RangePreset => ({
  label: `Last ${days} days`,
  from: (now: number, zone: Zone) => startOfDay(now, zone, -days),
});

/**
 * Ranges by name. They begin with a whole minute, hour or day of the person's zone, so that their first bar is a whole
 * one. In UTC, 30 days are those of the API's default and of `--start 30d`.
 */
export const PRESETS = {
  '15m': {
    label: 'Last 15 minutes',
    from: (now) => Math.floor(now / MINUTE_MS) * MINUTE_MS - 15 * MINUTE_MS,
  },
  '1h': { label: 'Last hour', from: (now) => Math.floor(now / MINUTE_MS) * MINUTE_MS - HOUR_MS },
  '6h': {
    label: 'Last 6 hours',
    from: (now) => Math.floor(now / (5 * MINUTE_MS)) * 5 * MINUTE_MS - 6 * HOUR_MS,
  },
  '24h': { label: 'Last 24 hours', from: (now, zone) => startOfHour(now, zone) - 24 * HOUR_MS },
  '7d': lastDays(7),
  '30d': lastDays(30),
  '90d': lastDays(90),
  '12mo': lastDays(365),
  today: { label: 'Today', from: (now, zone) => startOfDay(now, zone) },
  yesterday: {
    label: 'Yesterday',
    from: (now, zone) => startOfDay(now, zone, -1),
    to: (now, zone) => startOfDay(now, zone) - 1,
  },
  wtd: { label: 'Week to date', from: (now, zone) => startOfDay(now, zone, -daysSinceMonday(now, zone)) },
  lastWeek: {
    label: 'Last week',
    from: (now, zone) => startOfDay(now, zone, -daysSinceMonday(now, zone) - 7),
    to: (now, zone) => startOfDay(now, zone, -daysSinceMonday(now, zone)) - 1,
  },
  mtd: { label: 'Month to date', from: (now, zone) => startOfMonthIn(now, zone) },
  lastMonth: {
    label: 'Last month',
    from: (now, zone) => startOfMonthIn(now, zone, -1),
    to: (now, zone) => startOfMonthIn(now, zone) - 1,
  },
} as const satisfies Record<string, RangePreset>;
export type Preset = keyof typeof PRESETS;
export const DEFAULT_PRESET: Preset = '30d';

const daysSinceMonday = (ms: number, zone: Zone): number =>
  (new Date(wallClock(ms, zone)).getUTCDay() + 6) % 7;

export const isPreset = (name: string | undefined): name is Preset => isOneOf(name, PRESETS);

/** The range that an address asks for; an unreadable one is the default. */
export function rangeOf(search: WindowSearch, now: number, zone: Zone = UTC): TimeRange {
  const from = parseInstant(search.start ?? '');
  const to = parseInstant(search.end ?? '');
  if (from !== null && (to === null || to >= from)) return { from, to, label: 'Custom range' };
  const preset: RangePreset = PRESETS[isPreset(search.range) ? search.range : DEFAULT_PRESET];
  return { from: preset.from(now, zone), to: preset.to?.(now, zone) ?? null, label: preset.label };
}

/** The range as parameters of the API. */
export const rangeParams = ({ from, to }: TimeRange): { start: string; end?: string } => ({
  start: formatInstant(from),
  ...(to === null ? {} : { end: formatInstant(to) }),
});

/** Twice as long around the same middle, not past now; as an address says it. */
export function widerRange({ from, to }: TimeRange, now: number): WindowSearch {
  const until = to ?? now;
  const half = Math.max(MINUTE_MS, (until - from + 1) / 2);
  return rangeSearch(Math.round(from - half), Math.min(now, Math.round(until + half)));
}

/** The stretch of the same length before (-1) or after (1) a range, not past now; as an address says it. */
export function besideRange({ from, to }: TimeRange, now: number, step: -1 | 1): WindowSearch {
  const length = (to ?? now) - from + 1;
  const start = from + step * length;
  return rangeSearch(start, step === -1 ? from - 1 : Math.min(now, start + length - 1));
}

const rangeSearch = (from: number, to: number): WindowSearch => ({
  start: formatInstant(from),
  end: formatInstant(to),
  range: undefined,
  live: undefined,
});
