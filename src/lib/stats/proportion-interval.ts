import { type MeanInterval, meanOf } from './mean-interval.ts';

const Z = 1.959963984540054;

/**
 * The share of successes with its 95 % interval: Wilson's score interval (1927), which holds for few cases and for
 * shares of 0 and 1 as well. Repetitions of one case are alike, so their number counts for less: it is divided by the
 * design effect, the variance between cases over the one of independent repetitions (Kish 1965). Null without cases.
 * @param cases successes and repetitions of each case
 */
export function proportionInterval(
  cases: readonly { readonly passed: number; readonly all: number }[],
): MeanInterval | null {
  const known = cases.filter(({ all }) => all > 0);
  const n = known.reduce((sum, { all }) => sum + all, 0);
  if (n === 0) return null;
  const mean = known.reduce((sum, { passed }) => sum + passed, 0) / n;
  const effective = n / designEffect(known, mean, n);
  const square = Z ** 2;
  const middle = (mean + square / (2 * effective)) / (1 + square / effective);
  const half =
    (Z / (1 + square / effective)) *
    Math.sqrt((mean * (1 - mean)) / effective + square / (4 * effective ** 2));
  return {
    n,
    mean,
    low: mean === 0 ? 0 : Math.max(0, middle - half),
    high: mean === 1 ? 1 : Math.min(1, middle + half),
  };
}

/** At least 1, at most the mean number of repetitions. */
function designEffect(
  known: readonly { readonly passed: number; readonly all: number }[],
  mean: number,
  n: number,
): number {
  const count = known.length;
  const most = meanOf(known.map(({ all }) => all));
  // Without variance nothing says how alike repetitions are.
  if (count < 2 || mean === 0 || mean === 1) return 1;
  const residuals = known.reduce((sum, { passed, all }) => sum + (passed - mean * all) ** 2, 0);
  const between = (count / (count - 1)) * (residuals / n ** 2);
  return Math.min(Math.max(1, between / ((mean * (1 - mean)) / n)), Math.max(1, most));
}
