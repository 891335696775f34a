/**
 * Bins of times in milliseconds for histograms: the first is from 0 to 1, then there are ten for each power of ten, whose
 * bounds are the preferred numbers R10 of ISO 3 (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8), each about a quarter above the
 * one before. A bin contains its lower bound and not its upper one.
 */
const R10 = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8];
const DECADES = 10;

/** The bounds of all bins, ascending: those of bin `i` are at `i` and `i + 1`. The last bin is up to 116 days. */
export const TIME_BOUNDS: readonly number[] = [
  0,
  ...Array.from({ length: DECADES }, (_, power) => R10.map((step) => Number(`${step}e${power}`))).flat(),
  10 ** DECADES,
];

/** Number of bins. */
export const TIME_BINS: number = TIME_BOUNDS.length - 1;

/** The bin of a time in milliseconds; longer times are in the last. */
export function timeBin(ms: number): number {
  let [low, high] = [0, TIME_BINS];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((TIME_BOUNDS[middle] as number) <= ms) low = middle;
    else high = middle;
  }
  return low;
}
