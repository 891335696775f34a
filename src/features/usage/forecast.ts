import { DAY_MS, startOfNextMonth } from '../../lib/time.ts';

/** Full days whose pace the forecast takes. */
const PACE_DAYS = 7;

type Day = { readonly date: string; readonly events: number };

/**
 * Events at the end of the month: those so far plus, for the time left, the average of the last 7 full days
 * with history. Where there is none, what came today counts as a day's: it may be an import.
 * @param daily counts up to today, oldest first, without gaps
 * @param now epoch milliseconds
 * @returns the forecast, and when it reaches `limit` within the month (epoch milliseconds), else null
 */
export function forecastUsage(
  { used, limit, daily }: { used: number; limit: number; daily: readonly Day[] },
  now: number,
): { forecast: number; exhaustedAt: number | null } {
  const end = startOfNextMonth(now);
  const perMs = paceOf(daily);
  const forecast = Math.round(used + perMs * (end - now));
  if (used >= limit) return { forecast, exhaustedAt: now };
  const at = perMs === 0 ? Number.POSITIVE_INFINITY : now + (limit - used) / perMs;
  return { forecast, exhaustedAt: at < end ? Math.round(at) : null };
}

/** Events per millisecond. */
function paceOf(daily: readonly Day[]): number {
  const first = daily.findIndex(({ events }) => events > 0);
  if (first < 0) return 0;
  // The first day of the history began somewhere within it.
  const full = daily.slice(first + 1, -1).slice(-PACE_DAYS);
  if (full.length > 0) return full.reduce((sum, { events }) => sum + events, 0) / (full.length * DAY_MS);
  return (daily.at(-1)?.events ?? 0) / DAY_MS;
}
