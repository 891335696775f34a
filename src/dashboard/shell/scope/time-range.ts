import { DEFAULT_PRESET, PRESETS, type Preset, type RangePreset } from '../../../lib/ranges/presets.ts';
import { formatInstant, MINUTE_MS, parseInstant } from '../../../lib/time.ts';
import { UTC, type Zone } from '../../ui/format.ts';
import { isOneOf, type WindowSearch } from './search.ts';

/** A stretch of time that a page shows, in epoch milliseconds. `to` null: up to now, as of each request. */
export type TimeRange = { readonly from: number; readonly to: number | null; readonly label: string };

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
