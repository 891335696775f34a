/**
 * Spend of the next days: the least-squares line through the daily spend so far, continued from the day
 * after the last and summed; never below 0 (decisions.md, Reads).
 * @param daily USD of consecutive full days, oldest first
 * @param days how many days ahead
 * @returns USD; 0 without a day to go by, a level line with one
 */
export function forecast(daily: readonly number[], days: number): number {
  const n = daily.length;
  if (n === 0) return 0;
  const meanX = (n - 1) / 2;
  const meanY = daily.reduce((sum, y) => sum + y, 0) / n;
  let covariance = 0;
  let variance = 0;
  for (const [x, y] of daily.entries()) {
    covariance += (x - meanX) * (y - meanY);
    variance += (x - meanX) ** 2;
  }
  const slope = variance === 0 ? 0 : covariance / variance;
  // The line's mean over the days ahead is its value in their middle.
  const middle = n + (days - 1) / 2;
  return Math.max(0, days * (meanY + slope * (middle - meanX)));
}
