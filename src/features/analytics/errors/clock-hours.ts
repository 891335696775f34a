import { HOUR_MS } from '../../../lib/time.ts';
import { wallClock } from '../../../lib/time-zone.ts';
import type { ErrorsReply } from '../contract.ts';

/** Calls of an hour of the wall clock, and the instants that it covers; `to` is exclusive. */
export type ClockHour = { readonly count: number; readonly from: number; readonly to: number };

/**
 * Counts of hours of UTC by the hour that a zone's wall clock shows at their start, as `wallClock` gives it: where zones
 * are half an hour apart, an hour of UTC counts where it begins. When summer time ends, one hour of the clock is two.
 */
export function toClockHours(hours: ErrorsReply['rateLimitHeatmap'], zone: string): Map<number, ClockHour> {
  const found = new Map<number, ClockHour>();
  for (const { hour, rate_limited_count: count } of hours) {
    const at = Date.parse(hour);
    const clock = Math.floor(wallClock(at, zone) / HOUR_MS) * HOUR_MS;
    const before = found.get(clock);
    if (count === 0) continue;
    found.set(clock, {
      count: (before?.count ?? 0) + count,
      from: Math.min(before?.from ?? at, at),
      to: Math.max(before?.to ?? 0, at + HOUR_MS),
    });
  }
  return found;
}
