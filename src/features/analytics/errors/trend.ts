export type Trend = 'increasing' | 'stable' | 'decreasing';

const MIN_DISTANCE = 3;
const MIN_CHANGE = 0.2;

/** Failed calls of a group in the first and last third of a window, and in the second half of the last third. */
type Failures = { readonly first: number; readonly last: number; readonly newest: number };

/**
 * Compares the failures of the last third of a window with those of the first third, if as many calls had been made:
 * more than 20 % and at least 3 failures apart. A group without failures in the last sixth is not increasing.
 * @param calls all calls of the first and last third; more calls alone are no trend
 */
export function trendOf(
  { first, last, newest }: Failures,
  calls: { readonly first: number; readonly last: number },
): Trend {
  const expected = calls.first === 0 || calls.last === 0 ? first : (first * calls.last) / calls.first;
  if (Math.abs(last - expected) < MIN_DISTANCE) return 'stable';
  if (last > expected * (1 + MIN_CHANGE)) return newest === 0 ? 'stable' : 'increasing';
  if (last < expected * (1 - MIN_CHANGE)) return 'decreasing';
  return 'stable';
}
