import { createRandom } from './random.ts';

/** A mean and the interval that covers the true one in 95 of 100 samples. */
export type MeanInterval = {
  readonly n: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
};

const RESAMPLES = 2_000;
/** Beyond this the mean is so close to normal that resampling adds nothing. */
const MOST_RESAMPLED = 5_000;
/** The 97.5th percentile of the normal distribution. */
const Z = 1.959963984540054;

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Standard error of the mean: the sample's standard deviation by √n; 0 for fewer than two values. */
export function standardError(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/**
 * The mean with its 95 % interval: the 2.5th and 97.5th percentile of the means of 2,000 resamples (percentile
 * bootstrap, Efron 1979), or mean ± 1.96 standard errors beyond 5,000 values. Null without values.
 * @param seed the same seed gives the same interval
 */
export function meanInterval(values: readonly number[], seed: number): MeanInterval | null {
  const n = values.length;
  if (n === 0) return null;
  const mean = meanOf(values);
  if (n > MOST_RESAMPLED) {
    const margin = Z * standardError(values);
    return { n, mean, low: mean - margin, high: mean + margin };
  }
  const random = createRandom(seed);
  const sample = Float64Array.from(values);
  const means = new Float64Array(RESAMPLES);
  for (let i = 0; i < RESAMPLES; i++) {
    let sum = 0;
    for (let drawn = 0; drawn < n; drawn++) sum += sample[Math.floor(random() * n)] ?? 0;
    means[i] = sum / n;
  }
  means.sort();
  return { n, mean, low: quantile(means, 0.025), high: quantile(means, 0.975) };
}

/** The nearest-rank value of sorted numbers. */
const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
