/** The usual value: the median, and how far values usually are from it. */
export type Usual = { readonly median: number; readonly spread: number };
export type Sensitivity = keyof typeof DEVIATIONS;

/** Robust standard deviations from the median that are a warning; twice as many are critical. */
export const DEVIATIONS = { low: 6, medium: 4.5, high: 3 } as const;
/** Makes the median absolute deviation of normally distributed values their standard deviation. */
const NORMAL = 1.4826;
/** Least spread as a part of the median, so that a value that never changed may change a little. */
const LEAST_SPREAD = 0.05;
/** Measures of which less is good: only a rise is an anomaly. */
const isRising = (measure: string): boolean =>
  /^(error|timeout|rateLimited|cancelled|unpriced|latency|ttft|guardrail|failedRuns|runError|runLatency)/.test(
    measure,
  ) && measure !== 'latencyCount';
/** The least spread of a measure whose median may be 0: a rate of 1 percent, one call. */
const leastOf = (measure: string, isTotal: boolean): number =>
  measure.endsWith('Rate') ? 0.01 : isTotal && !/cost/i.test(measure) ? 1 : 0;

/** What a value is beside the usual one. */
export type Unusual = {
  readonly level: 'ok' | 'warning' | 'critical';
  /** The bound that it crossed, or would have to cross. */
  readonly threshold: number;
  /** How many robust standard deviations it is from the median. */
  readonly deviations: number;
};

/**
 * Compares a value with the usual one of the same hour of the week.
 * @param measure.isTotal whether the measure is a number of calls, tokens or USD rather than a mean or a rate
 */
export function compareWithUsual(
  value: number,
  { median, spread }: Usual,
  {
    measure,
    isTotal,
    sensitivity,
  }: { readonly measure: string; readonly isTotal: boolean; readonly sensitivity: Sensitivity },
): Unusual {
  const unit = Math.max(spread * NORMAL, Math.abs(median) * LEAST_SPREAD, leastOf(measure, isTotal));
  const far = DEVIATIONS[sensitivity] * unit;
  const distance = isRising(measure) ? value - median : Math.abs(value - median);
  const level = distance <= far || far === 0 ? 'ok' : distance > 2 * far ? 'critical' : 'warning';
  const sign = value < median && !isRising(measure) ? -1 : 1;
  const threshold = median + sign * far * (level === 'critical' ? 2 : 1);
  return { level, threshold, deviations: unit === 0 ? 0 : distance / unit };
}

/** Least values of the same hour of the week, and weeks with some, before anything is unusual. */
const LEAST_SAMPLES = 6;
const LEAST_WEEKS = 2;

/** The usual value by the same hour of earlier weeks, from the values of each week; null with too little history. */
export function usualOf(weeks: readonly (readonly number[])[]): Usual | null {
  const values = weeks.flat();
  if (values.length < LEAST_SAMPLES || weeks.filter((week) => week.length > 0).length < LEAST_WEEKS)
    return null;
  const median = medianOf(values);
  return { median, spread: medianOf(values.map((value) => Math.abs(value - median))) };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
