import { meanOf, standardError } from './mean-interval.ts';
import { createRandom } from './random.ts';

/** Up to this many differences all 2^n signs are tried. */
const MOST_EXACT = 14;
const FLIPS = 9_999;
/** Beyond this the sum of random signs is so close to normal that trying adds nothing. */
const MOST_FLIPPED = 5_000;
/** Sums that differ by rounding only count as equal. */
const ROUNDING = 1e-9;

/**
 * The two-sided p-value of "these differences come from pairs without a difference": how often the mean is at least as
 * far from 0 when each difference gets a random sign (permutation test for pairs, Fisher 1935). Exact up to 14
 * differences other than 0; with 9,999 random tries up to 5,000; by the normal distribution beyond. 1 without any.
 */
export function pairedTest(differences: readonly number[], seed: number): number {
  const values = differences.filter((value) => value !== 0);
  const n = values.length;
  if (n === 0) return 1;
  if (n > MOST_FLIPPED) return twoSided(meanOf(differences) / standardError(differences));
  const sum = Math.abs(values.reduce((total, value) => total + value, 0));
  const least = sum - ROUNDING * values.reduce((total, value) => total + Math.abs(value), 0);
  return n <= MOST_EXACT ? exact(values, least) : sampled(values, least, seed);
}

function exact(values: readonly number[], least: number): number {
  const all = 2 ** values.length;
  let extreme = 0;
  for (let signs = 0; signs < all; signs++) {
    let sum = 0;
    for (const [i, value] of values.entries()) sum += (signs >> i) & 1 ? value : -value;
    if (Math.abs(sum) >= least) extreme++;
  }
  return extreme / all;
}

function sampled(values: readonly number[], least: number, seed: number): number {
  const random = createRandom(seed);
  const list = Float64Array.from(values);
  let extreme = 0;
  for (let flip = 0; flip < FLIPS; flip++) {
    let sum = 0;
    let bits = 0;
    for (let i = 0; i < list.length; i++) {
      if (i % 30 === 0) bits = Math.floor(random() * 2 ** 30);
      sum += bits & 1 ? (list[i] ?? 0) : -(list[i] ?? 0);
      bits >>= 1;
    }
    if (Math.abs(sum) >= least) extreme++;
  }
  // The observed signs are one of the tries, so that p is never 0.
  return (extreme + 1) / (FLIPS + 1);
}

/** P(|Z| ≥ |z|) of the normal distribution, to 1e-7 (Abramowitz and Stegun, 26.2.17). */
function twoSided(z: number): number {
  const x = Math.abs(z);
  if (!Number.isFinite(x)) return x === Number.POSITIVE_INFINITY ? 0 : 1;
  const t = 1 / (1 + 0.2316419 * x);
  const tail =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))) *
    Math.exp((-x * x) / 2) *
    Math.SQRT1_2;
  return Math.min(1, (2 * tail) / Math.sqrt(Math.PI));
}
