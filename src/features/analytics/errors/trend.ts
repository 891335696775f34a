export type Trend = 'increasing' | 'stable' | 'decreasing';

const MIN_DISTANCE = 3;
const MIN_CHANGE = 0.2;

/** Compares the first and the last third of a window: more than 20 % and at least 3 events apart. */
export function trendOf(first: number, last: number): Trend {
  if (Math.abs(last - first) < MIN_DISTANCE) return 'stable';
  if (last > first * (1 + MIN_CHANGE)) return 'increasing';
  if (last < first * (1 - MIN_CHANGE)) return 'decreasing';
  return 'stable';
}
