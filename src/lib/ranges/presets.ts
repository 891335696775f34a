import { HOUR_MS, MINUTE_MS } from '../time.ts';
import { startOfDay, startOfMonthIn, wallClock } from '../time-zone.ts';

/** `to`: the last millisecond of a range that has ended. */
export type RangePreset = {
  readonly label: string;
  readonly from: (now: number, zone: string) => number;
  readonly to?: (now: number, zone: string) => number;
};

/** The start of the hour that the wall clock of a zone shows: in some zones hours begin at half past. */
const startOfHour = (ms: number, zone: string): number => {
  const past = wallClock(ms, zone) % HOUR_MS;
  return ms - past;
};
const lastDays = (days: number): RangePreset => ({
  label: `Last ${days} days`,
  from: (now: number, zone: string) => startOfDay(now, zone, -days),
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

const daysSinceMonday = (ms: number, zone: string): number =>
  (new Date(wallClock(ms, zone)).getUTCDay() + 6) % 7;
