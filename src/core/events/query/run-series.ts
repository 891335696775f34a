import type { Dimension } from '../metrics.ts';
import type { EventFilters } from '../selection.ts';
import type { SeriesQuery } from '../series.ts';
import type { RunMeasure } from './contract.ts';

/**
 * The additive sums of runs. Known are the runs whose cost is known, unpriced those with a call without a price, timed
 * those with a latency; `marks` changes with the spans that stand for the runs.
 */
export const RUN_SUMS = [
  'runs',
  'failed',
  'known',
  'known_succeeded',
  'unpriced',
  'cost_nano',
  'timed',
  'latency_us',
  'marks',
] as const;
export type RunSum = (typeof RUN_SUMS)[number];
export type RunSums = Readonly<Record<RunSum, number>>;

/** What percentiles of runs are of: nano-dollars and microseconds. */
export type RunTime = 'cost' | 'latency';

/** Runs that are summed together: those that match, by one dimension or without. They have all `RUN_SUMS`. */
export type RunShape = {
  readonly filters: EventFilters;
  readonly groupBy: Dimension | null;
  readonly times: readonly RunTime[];
};

/** Sums of several shapes of runs in steps, as `SeriesQuery` of calls. */
export type RunSeriesQuery = {
  readonly shapes: readonly RunShape[];
  readonly ranges: SeriesQuery['ranges'];
};

/** Measures of runs that are percentiles. */
export const RUN_PERCENTILES = {
  runCostP50: { time: 'cost', q: 0.5, unit: 1e9 },
  runCostP95: { time: 'cost', q: 0.95, unit: 1e9 },
  runLatencyP95: { time: 'latency', q: 0.95, unit: 1e3 },
} as const satisfies Partial<
  Record<RunMeasure, { readonly time: RunTime; readonly q: number; unit: number }>
>;
export type RunPercentile = keyof typeof RUN_PERCENTILES;
export type RunSumMeasure = Exclude<RunMeasure, RunPercentile>;
export const isRunPercentile = (measure: RunMeasure): measure is RunPercentile =>
  Object.hasOwn(RUN_PERCENTILES, measure);

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** The value of a measure that is computed from sums; null if the runs tell none. */
export function runMeasureOf(measure: RunSumMeasure, sums: RunSums): number | null {
  const usd = sums.cost_nano / 1e9;
  switch (measure) {
    case 'runs':
      return sums.runs;
    case 'failedRuns':
      return sums.failed;
    case 'runErrorRate':
      return share(sums.failed, sums.runs);
    case 'runCost':
      return sums.runs > 0 && sums.known === 0 ? null : usd;
    case 'runCostAvg':
      return share(usd, sums.known);
    case 'runCostPerSuccess':
      return share(usd, sums.known_succeeded);
    case 'runLatencyAvg':
      return share(sums.latency_us / 1000, sums.timed);
  }
}
