import { quantileOf } from '../../../../../lib/stats/quantile-of.ts';
import type { RunMeasure } from '../../../query/contract.ts';
import {
  isRunPercentile,
  RUN_PERCENTILES,
  RUN_SUMS,
  type RunSum,
  type RunTime,
  runMeasureOf,
} from '../../../query/run-series.ts';
import type { Runs } from './runs.ts';

/** The values of measures over some runs, by their numbers. */
export function runValues(
  measures: readonly RunMeasure[],
  runs: Runs,
  numbers: Uint32Array,
): (number | null)[] {
  const sums = Object.fromEntries(RUN_SUMS.map((name) => [name, 0])) as Record<RunSum, number>;
  for (const run of numbers)
    addRun(runs, run, (name, value) => {
      sums[name] += value;
    });
  return measures.map((measure) => {
    if (!isRunPercentile(measure)) return runMeasureOf(measure, sums);
    const { time, q, unit } = RUN_PERCENTILES[measure];
    const value = quantileOf(
      picked(numbers, time === 'cost' ? sums.known : sums.timed, runTime(runs, time)),
      q,
    );
    return value === null ? null : value / unit;
  });
}

/** Adds what a run counts for to sums. */
export function addRun(runs: Runs, run: number, add: (name: RunSum, value: number) => void): void {
  const isFailed = runs.isFailed(run);
  add('runs', 1);
  add('marks', runs.mark(run));
  if (isFailed) add('failed', 1);
  if (runs.isKnown(run)) {
    add('known', 1);
    if (!isFailed) add('known_succeeded', 1);
    add('cost_nano', runs.costNano(run));
  }
  if (runs.hasUnpriced(run)) add('unpriced', 1);
  const latency = runs.latency(run);
  if (Number.isNaN(latency)) return;
  add('timed', 1);
  add('latency_us', latency * 1000);
}

/** The cost of a run in nano-dollars, or its latency in microseconds; NaN without one. */
export const runTime = (runs: Runs, time: RunTime): ((run: number) => number) =>
  time === 'latency'
    ? (run) => runs.latency(run) * 1000
    : (run) => (runs.isKnown(run) ? runs.costNano(run) : Number.NaN);

/** The values of the runs that have one. */
function picked(numbers: Uint32Array, count: number, read: (run: number) => number): Float64Array {
  const values = new Float64Array(count);
  let next = 0;
  for (const run of numbers) {
    const value = read(run);
    if (!Number.isNaN(value)) values[next++] = value;
  }
  return values;
}
