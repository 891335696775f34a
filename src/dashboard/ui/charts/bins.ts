/** The terms of the filter language that find the calls of a bin. */
export const binFilter = (field: string, bounds: readonly number[], bin: number): string =>
  `${field}>=${bounds[bin] ?? 0} ${field}<${bounds[bin + 1] ?? 0}`;

/** Where a time lies along an axis of bins of equal width: 0 at the first bound, 1 at the last. */
export function placeOfTime(ms: number, bounds: readonly number[]): number {
  const bins = bounds.length - 1;
  const bin = Math.max(
    0,
    bounds.findLastIndex((bound) => bound <= ms),
  );
  const [low = 0, high = 1] = bounds.slice(bin, bin + 2);
  const within = low === 0 ? ms / high : Math.log(ms / low) / Math.log(high / low);
  return Math.min(1, (Math.min(bin, bins - 1) + Math.max(0, Math.min(1, within))) / bins);
}

/** Bounds that an axis names: 1, 2 and 5 of each power of ten where they fit, else 1; as places in `bounds`. */
export function namedBounds(bounds: readonly number[], binWidth: number, room: number): number[] {
  const mantissa = (bound: number): number => Number(bound.toExponential().split('e')[0]);
  const steps = 3 * binWidth >= room ? [1, 2, 5] : [1];
  const named = bounds.flatMap((bound, place) => (steps.includes(mantissa(bound)) ? [place] : []));
  return named.length > 0 ? named : [0, bounds.length - 1];
}
