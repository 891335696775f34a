import { isScoreMeasure, parseScoreMeasure, type ScoreMeasure } from '../../lib/scores/score-measures.ts';
import { PERCENTILES, type Percentile, SUM_MEASURES, type Sum, type SumMeasure } from '../events/index.ts';
import type { ROOT_CAUSE_MEASURES, RootCause } from './contract.ts';

export type CallMeasure = (typeof ROOT_CAUSE_MEASURES)[number];
export type RootCauseMeasure = CallMeasure | ScoreMeasure;

/** Unit of a measure, and how many of its smallest shown unit make one. */
type UnitDef = {
  readonly unit: RootCause['unit'];
  readonly units: number;
};

/** How a measure is computed from sums: `factor · part`, or `factor · part / whole`. */
export type SummedMeasure = UnitDef & {
  readonly kind: 'sums';
  readonly part: Sum;
  readonly whole: Sum | null;
  readonly factor: number;
};
/** A mean of scores, or their number. */
export type ScoredMeasure = UnitDef & { readonly kind: 'scores'; readonly factor: 1 };
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
  score: { unit: 'score', units: 1e6 },
  scores: { unit: 'scores', units: 1e6 },
} as const satisfies Record<string, UnitDef>;

const UNIT_OF: Readonly<Record<CallMeasure, keyof typeof UNITS>> = {
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

const isPercentile = (measure: CallMeasure): measure is Percentile & CallMeasure => measure in PERCENTILES;

/** How a measure is computed. */
export function measureOf(measure: CallMeasure): SummedMeasure | PercentileMeasure {
  const unit = UNITS[UNIT_OF[measure]];
  if (isPercentile(measure))
    return { ...unit, kind: 'percentile', percentile: measure, time: PERCENTILES[measure].time };
  const { sums, of } = SUM_MEASURES[measure as SumMeasure & CallMeasure];
  const [part, whole]: readonly (Sum | undefined)[] = sums;
  if (part === undefined) throw new Error(`${measure} has no sums`);
  const ones = Object.fromEntries(sums.map((name) => [name, 1])) as Parameters<typeof of>[0];
  // A measure can name more sums, which say whether it is known: the cost counts the calls without a price.
  const isRatio = RATIO_UNITS.includes(unit.unit) && whole !== undefined;
  return { ...unit, kind: 'sums', part, whole: isRatio ? whole : null, factor: of(ones) };
}

/** How a measure of scores is computed. @param isFraction whether the scores are true or false */
export function scoredMeasureOf(measure: ScoreMeasure, isFraction: boolean): ScoredMeasure {
  const { isCount, category } = parseScoreMeasure(measure);
  const unit = isCount ? UNITS.scores : isFraction || category !== null ? UNITS.fraction : UNITS.score;
  return { ...unit, kind: 'scores', factor: 1 };
}

/** A measure in a sentence, if it is of scores; null for one of calls. */
export function scoreNoun(measure: RootCauseMeasure): string | null {
  if (!isScoreMeasure(measure)) return null;
  const { isCount, name, category } = parseScoreMeasure(measure);
  const what = category === null ? `score “${name}”` : `share of “${category}” in score “${name}”`;
  if (!isCount) return what;
  return `number of scores “${name}”${category === null ? '' : ` that are “${category}”`}`;
}

/** Measures of failures, which error codes describe rather than cause. */
export const isOfFailures = (measure: RootCauseMeasure): boolean =>
  ['errors', 'errorRate', 'timeouts', 'timeoutRate', 'rateLimited'].includes(measure);
