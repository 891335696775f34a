import { DAY_MS, startOfNextMonth } from '../../lib/time.ts';

/** Full days whose pace the forecast takes. */
const PACE_DAYS = 7;

type Day = { readonly date: string; readonly events: number };

/**
 * Events at the end of the month: those so far plus, for the time left, the average of the last 7 full days
 * with history.
 * @param daily counts up to today, oldest first, without gaps
 * @param now epoch milliseconds
 * @returns the forecast, null before the first full day, since what came on the first may be an import; and when it
 *   reaches `limit` within the month (epoch milliseconds), else null
 */
export function forecastUsage(
  { used, limit, daily }: { used: number; limit: number; daily: readonly Day[] },
  now: number,
): { forecast: number | null; exhaustedAt: number | null } {
  const end = startOfNextMonth(now);
  const perMs = paceOf(daily);
  const forecast = perMs === null ? null : Math.round(used + perMs * (end - now));
  if (used >= limit) return { forecast, exhaustedAt: now };
  const at = perMs ? now + (limit - used) / perMs : Number.POSITIVE_INFINITY;
  return { forecast, exhaustedAt: at < end ? Math.round(at) : null };
}

/** Events per millisecond; null without a full day. */
function paceOf(daily: readonly Day[]): number | null {
  const first = daily.findIndex(({ events }) => events > 0);
  if (first < 0) return null;
  // The first day of the history began somewhere within it.
  const full = daily.slice(first + 1, -1).slice(-PACE_DAYS);
  if (full.length === 0) return null;
  return full.reduce((sum, { events }) => sum + events, 0) / (full.length * DAY_MS);
}
