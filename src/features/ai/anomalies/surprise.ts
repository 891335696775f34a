import type { AnomalyMeasure } from './contract.ts';

/** Values of some calls by hour, from the first week that is compared with on. */
export type HourSeries = Readonly<Record<AnomalyMeasure, readonly (number | null)[]>>;

/** What is expected of an hour by its calls, and how surprising the value is. */
export type Surprise = {
  readonly expected: number;
  /** Standard deviations from the expected value; below 0 if it is less. */
  readonly deviations: number;
  /** The value that is so many standard deviations from the expected one. */
  readonly at: (deviations: number) => number;
};
type Usuals = readonly (number | null)[];
type Surprises = (at: number) => Surprise | null;

const WEEK_HOURS = 7 * 24;
/** Hours that are compared with their own past before anything can be surprising. */
const LEAST_HOURS = 100;
/** Hours with fewer calls say nothing of how a percentile scatters. */
const LEAST_TIMES = 10;
const LEAST_HOURS_OF_TIMES = 40;
const LEAST_LEVEL_HOURS = 24;
/** How much more or less than in the weeks before there may be, as growth. */
const MOST_LEVEL = 2.5;
/** An hour counts for the level with at most this many times its usual value. */
const MOST_OF_USUAL = 4;
/** So many of the past hours lie within so many standard deviations. */
const QUANTILE = { part: 0.95, normal: 1.96 } as const;
/** The third largest of some 400 hours is about so many: up to two hours of trouble in the past do not hide the next. */
const THIRD = 2;
const NORMAL_THIRD = 2.7;
/** Anscombe's constant: with it, the root of a Poisson count has the same variance everywhere. */
const ANSCOMBE = 3 / 8;
/** Least relative deviation of a percentile of one call. */
const LEAST_LATENCY = 1;

/**
 * How surprising values of some calls are, given how many there are. Numbers of calls, errors and USD scatter like a
 * Poisson count with a factor for the dispersion, which the weeks before tell: the differences of roots have the same
 * variance whether an hour has 3 calls or 3,000. Percentiles scatter with one over the root of the calls. Growth since
 * the weeks before is taken out.
 * @param usuals the usual value of each hour, null if it has none
 * @param first the first hour that is judged: the hours before calibrate
 */
export function surprisesOf(
  series: HourSeries,
  measure: AnomalyMeasure,
  { usuals, first }: { readonly usuals: Usuals; readonly first: number },
): Surprises {
  const values = series[measure];
  const levels = levelsOf(values, usuals);
  const calls = series.requests;
  const unit = measure === 'cost' ? ratioOf(values, calls, first) : 1;
  const errorRate = measure === 'errors' ? ratioOf(values, calls, first) : 0;
  const root = (value: number): number => 2 * Math.sqrt(Math.max(0, value) / (unit || 1) + ANSCOMBE);
  const expectedAt = (at: number): number | null => {
    const usual = usuals[at] ?? null;
    const level = levels[at] ?? null;
    if (usual === null || level === null) return null;
    return Math.max(usual * level, errorRate * (calls[at] ?? 0));
  };
  const isTime = measure === 'latencyP95';
  const distanceAt = (at: number): number | null => {
    const [expected, value, count] = [expectedAt(at), values[at] ?? null, calls[at] ?? 0];
    if (expected === null || (isTime && (value === null || count === 0 || expected <= 0))) return null;
    return isTime ? Math.log((value ?? 0) / expected) * Math.sqrt(count) : root(value ?? 0) - root(expected);
  };
  const past: number[] = [];
  for (let at = 0; at < first; at++) {
    const distance = distanceAt(at);
    if (distance !== null && (!isTime || (calls[at] ?? 0) >= LEAST_TIMES)) past.push(Math.abs(distance));
  }
  if (past.length < (isTime ? LEAST_HOURS_OF_TIMES : LEAST_HOURS)) return () => null;
  past.sort((a, b) => b - a);
  // What comes in clumps, such as conversations, has most hours near 0 and a few far off.
  const scale = Math.max(
    isTime ? LEAST_LATENCY : 1,
    (past[Math.floor((1 - QUANTILE.part) * past.length)] ?? 0) / QUANTILE.normal,
    isTime ? 0 : (past[THIRD] ?? 0) / NORMAL_THIRD,
  );
  return (at) => {
    const [expected, distance] = [expectedAt(at), distanceAt(at)];
    if (expected === null || distance === null) return null;
    const valueAt = (deviations: number): number =>
      isTime
        ? expected * Math.exp((deviations * scale) / Math.sqrt(calls[at] ?? 1))
        : unit * Math.max(0, (Math.max(0, root(expected) + deviations * scale) / 2) ** 2 - ANSCOMBE);
    return { expected, deviations: distance / scale, at: valueAt };
  };
}

/** How much there is beside the usual, in the week before each hour; null with too few hours. */
function levelsOf(values: readonly (number | null)[], usuals: Usuals): (number | null)[] {
  let [own, usual, hours] = [0, 0, 0];
  const add = (at: number, sign: 1 | -1): void => {
    const [value, normal] = [values[at] ?? 0, usuals[at] ?? null];
    if (at < 0 || normal === null) return;
    hours += sign;
    usual += sign * normal;
    own += sign * Math.min(value, normal * MOST_OF_USUAL);
  };
  return usuals.map((_, at) => {
    add(at - 1, 1);
    add(at - 1 - WEEK_HOURS, -1);
    if (hours < LEAST_LEVEL_HOURS) return null;
    return usual <= 0 ? 1 : Math.min(MOST_LEVEL, Math.max(1 / MOST_LEVEL, own / usual));
  });
}

/** One measure per call, in the hours before. */
function ratioOf(
  values: readonly (number | null)[],
  calls: readonly (number | null)[],
  first: number,
): number {
  const sum = (all: readonly (number | null)[]): number =>
    all.slice(0, first).reduce<number>((total, value) => total + (value ?? 0), 0);
  const count = sum(calls);
  return count === 0 ? 0 : sum(values) / count;
}
