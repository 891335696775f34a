import { PERCENTILES, type Percentile, SUM_MEASURES, type Sum, type SumMeasure } from '../events/index.ts';
import type { ROOT_CAUSE_MEASURES } from './contract.ts';

export type RootCauseMeasure = (typeof ROOT_CAUSE_MEASURES)[number];

/** Unit of a measure, and how many of its smallest shown unit make one. */
type UnitDef = {
  readonly unit: 'usd' | 'ms' | 'fraction' | 'calls' | 'tokens' | 'tokens_per_second';
  readonly units: number;
};

/** How a measure is computed from sums: `factor · part`, or `factor · part / whole`. */
export type SummedMeasure = UnitDef & {
  readonly kind: 'sums';
  readonly part: Sum;
  readonly whole: Sum | null;
  readonly factor: number;
};
/** A percentile, whose change is explained by the calls that are slower than a limit. */
export type PercentileMeasure = UnitDef & {
  readonly kind: 'percentile';
  readonly percentile: Percentile;
  readonly time: 'latency' | 'ttft';
};

const UNITS = {
  usd: { unit: 'usd', units: 1e9 },
  ms: { unit: 'ms', units: 1e3 },
  fraction: { unit: 'fraction', units: 1e9 },
  calls: { unit: 'calls', units: 1e6 },
  tokens: { unit: 'tokens', units: 1e3 },
  tokens_per_second: { unit: 'tokens_per_second', units: 1e6 },
} as const satisfies Record<string, UnitDef>;

const UNIT_OF: Readonly<Record<RootCauseMeasure, keyof typeof UNITS>> = {
  cost: 'usd',
  requests: 'calls',
  errors: 'calls',
  errorRate: 'fraction',
  timeouts: 'calls',
  timeoutRate: 'fraction',
  rateLimited: 'calls',
  unpriced: 'calls',
  inputTokens: 'tokens',
  outputTokens: 'tokens',
  cacheRate: 'fraction',
  latencyAvg: 'ms',
  latencyP50: 'ms',
  latencyP90: 'ms',
  latencyP95: 'ms',
  latencyP99: 'ms',
  ttftAvg: 'ms',
  ttftP50: 'ms',
  ttftP95: 'ms',
  ttftP99: 'ms',
  tokensPerSec: 'tokens_per_second',
};

/** Units of measures that are one sum divided by another; all others are sums. */
const RATIO_UNITS: readonly string[] = ['fraction', 'ms', 'tokens_per_second'];

const isPercentile = (measure: RootCauseMeasure): measure is Percentile & RootCauseMeasure =>
  measure in PERCENTILES;

/** How a measure is computed. */
export function measureOf(measure: RootCauseMeasure): SummedMeasure | PercentileMeasure {
  const unit = UNITS[UNIT_OF[measure]];
  if (isPercentile(measure))
    return { ...unit, kind: 'percentile', percentile: measure, time: PERCENTILES[measure].time };
  const { sums, of } = SUM_MEASURES[measure as SumMeasure & RootCauseMeasure];
  const [part, whole]: readonly (Sum | undefined)[] = sums;
  if (part === undefined) throw new Error(`${measure} has no sums`);
  const ones = Object.fromEntries(sums.map((name) => [name, 1])) as Parameters<typeof of>[0];
  // A measure can name more sums, which say whether it is known: the cost counts the calls without a price.
  const isRatio = RATIO_UNITS.includes(unit.unit) && whole !== undefined;
  return { ...unit, kind: 'sums', part, whole: isRatio ? whole : null, factor: of(ones) };
}

/** Measures of failures, which error codes describe rather than cause. */
export const isOfFailures = (measure: RootCauseMeasure): boolean =>
  ['errors', 'errorRate', 'timeouts', 'timeoutRate', 'rateLimited'].includes(measure);
