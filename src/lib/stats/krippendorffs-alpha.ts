/** How values differ: as words, the same or not; as numbers, by the square of their difference. */
export type Level = 'nominal' | 'interval';

/**
 * Krippendorff's alpha: how far any number of raters agree beyond chance, 1 for full agreement and 0 for that of chance.
 * Raters may have left items out; items with fewer than two values count for nothing. Null without items that two raters
 * valued, and if all values are the same.
 *
 * @param units the values that each item got; numbers for `interval`
 * @see Klaus Krippendorff, Computing Krippendorff's Alpha-Reliability (2011)
 */
export function krippendorffsAlpha(
  units: readonly (readonly (string | number)[])[],
  level: Level,
): number | null {
  const paired = units.filter((values) => values.length >= 2);
  const all = paired.flat();
  if (all.length === 0) return null;
  const disagreement = level === 'nominal' ? unequalPairs : squaredDifferences;
  const observed = paired.reduce((sum, values) => sum + disagreement(values) / (values.length - 1), 0);
  const expected = disagreement(all) / (all.length - 1);
  return expected === 0 ? null : 1 - observed / expected;
}

/** The number of ordered pairs of unequal values. */
function unequalPairs(values: readonly (string | number)[]): number {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return values.length ** 2 - [...counts.values()].reduce((sum, count) => sum + count ** 2, 0);
}

/** The sum of the squared differences of all ordered pairs: twice their number times the squared distances from the mean. */
function squaredDifferences(values: readonly (string | number)[]): number {
  const numbers = values.map(Number);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  return 2 * numbers.length * numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}
