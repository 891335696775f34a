/**
 * Spend of the next days: the least-squares line through the daily spend so far, continued from the day
 * after the last and summed. A falling line stops at 0, because a day can't cost less.
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
  let sum = 0;
  for (let x = n; x < n + days; x++) sum += Math.max(0, meanY + slope * (x - meanX));
  return sum;
}
