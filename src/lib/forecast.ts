import { DAY_MS, startDaysAgo } from './time.ts';

/** Full days that a forecast goes by. */
const FORECAST_DAYS = 30;

/** The days that a forecast needs, as a half-open window in epoch milliseconds: the last 30 full ones, and today so far. */
export const forecastWindow = (now: number): { readonly from: number; readonly to: number } => ({
  from: startDaysAgo(now, FORECAST_DAYS),
  to: now + 1,
});

/** Spending of full days, oldest first, and of today so far; in any unit. */
export type RecentDays = { readonly daily: readonly number[]; readonly spent: number };

/**
 * The days of a forecast, without those before the first event: fewer for a younger project, none for a new one.
 * @param costs of each day of `forecastWindow`
 * @param firstDay start of the first UTC day with events, in epoch milliseconds; null without any
 */
export function recentDays(costs: readonly number[], firstDay: number | null, now: number): RecentDays {
  const today = startDaysAgo(now, 0);
  const age = firstDay === null ? 0 : Math.round((today - firstDay) / DAY_MS);
  const full = Array.from({ length: FORECAST_DAYS }, (_, day) => costs[day] ?? 0);
  const days = Math.min(FORECAST_DAYS, Math.max(0, age));
  return { daily: full.slice(FORECAST_DAYS - days), spent: costs[FORECAST_DAYS] ?? 0 };
}

/**
 * The least-squares line through the daily spend so far.
 * @param daily USD of consecutive full days, oldest first
 * @returns what it says of a day ahead, 0 for the one after the last; may be below 0. Level with one day, 0
 *   without any
 */
function lineThrough(daily: readonly number[]): (ahead: number) => number {
  const n = daily.length;
  if (n === 0) return () => 0;
  const meanX = (n - 1) / 2;
  const meanY = daily.reduce((sum, y) => sum + y, 0) / n;
  let covariance = 0;
  let variance = 0;
  for (const [x, y] of daily.entries()) {
    covariance += (x - meanX) * (y - meanY);
    variance += (x - meanX) ** 2;
  }
  const slope = variance === 0 ? 0 : covariance / variance;
  return (ahead) => meanY + slope * (n + ahead - meanX);
}

/**
 * Spend of the next days: the line continued from the day after the last and summed; never below 0.
 * @param daily USD of consecutive full days, oldest first
 * @param days how many days ahead
 * @returns USD
 */
export function forecast(daily: readonly number[], days = FORECAST_DAYS): number {
  // The line's mean over the days ahead is its value in their middle.
  return Math.max(0, days * lineThrough(daily)((days - 1) / 2));
}

/**
 * What each of the next days will still cost, by the same line: of the first what it lacks of its value.
 * @param daily USD of consecutive full days, oldest first
 * @param days how many, the first of them the one after the last of `daily`
 * @param spent USD that the first of them has cost so far
 * @returns USD, none below 0
 */
export function stillToCome(daily: readonly number[], days: number, spent: number): number[] {
  const line = lineThrough(daily);
  return Array.from({ length: days }, (_, day) => Math.max(0, line(day) - (day === 0 ? spent : 0)));
}
