import { quantileOf } from '../../../../../lib/stats/quantile-of.ts';
import type { RunMeasure } from '../../../query/contract.ts';
import type { Runs } from './runs.ts';

const NANO = 1e9;

/** The values of measures over some runs, by their numbers. */
export function runValues(
  measures: readonly RunMeasure[],
  runs: Runs,
  numbers: Uint32Array,
): (number | null)[] {
  const sums = { failed: 0, known: 0, knownSuccess: 0, costNano: 0, timed: 0, latency: 0 };
  for (const run of numbers) {
    const isFailed = runs.isFailed(run);
    if (isFailed) sums.failed++;
    if (runs.isKnown(run)) {
      sums.known++;
      if (!isFailed) sums.knownSuccess++;
      sums.costNano += runs.costNano(run);
    }
    const latency = runs.latency(run);
    if (Number.isNaN(latency)) continue;
    sums.timed++;
    sums.latency += latency;
  }
  const all = numbers.length;
  const costs = (q: number): number | null =>
    nano(quantileOf(picked(numbers, sums.known, runs.isKnown, runs.costNano), q));
  const isTimed = (run: number): boolean => !Number.isNaN(runs.latency(run));
  const figureOf = (measure: RunMeasure): number | null => {
    switch (measure) {
      case 'runs':
        return all;
      case 'failedRuns':
        return sums.failed;
      case 'runErrorRate':
        return share(sums.failed, all);
      case 'runCost':
        return all > 0 && sums.known === 0 ? null : sums.costNano / NANO;
      case 'runCostAvg':
        return share(sums.costNano / NANO, sums.known);
      case 'runCostP50':
        return costs(0.5);
      case 'runCostP95':
        return costs(0.95);
      case 'runCostPerSuccess':
        return share(sums.costNano / NANO, sums.knownSuccess);
      case 'runLatencyAvg':
        return share(sums.latency, sums.timed);
      case 'runLatencyP95':
        return quantileOf(picked(numbers, sums.timed, isTimed, runs.latency), 0.95);
    }
  };
  return measures.map(figureOf);
}

/** The values of the runs that have one. */
function picked(
  numbers: Uint32Array,
  count: number,
  has: (run: number) => boolean,
  read: (run: number) => number,
): Float64Array {
  const values = new Float64Array(count);
  let next = 0;
  for (const run of numbers) if (has(run)) values[next++] = read(run);
  return values;
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
const nano = (value: number | null): number | null => (value === null ? null : value / NANO);
