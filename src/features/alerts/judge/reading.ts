import { compareWithUsual, type Usual } from '../../../core/alerts/index.ts';
import {
  isRunPercentile,
  measureOf,
  RUN_PERCENTILES,
  RUN_SUMS,
  type RunSum,
  runMeasureOf,
  type Sum,
  sumsFor,
} from '../../../core/events/index.ts';
import { isRunMeasure, type RunMeasure } from '../../../core/events/query/contract.ts';
import { markOf } from '../../../lib/billing/cost-mark.ts';
import { isScoreMeasure, parseScoreMeasure, type ScoreMeasure } from '../../../lib/scores/score-measures.ts';
import type { AlertMeasure, CallMeasure, Priced, Reason } from '../contract.ts';
import { measureUnit } from '../notify/measure-words.ts';
import type { Rule } from '../table.ts';
import { isTotal, quantileOf, sumMeasureOf } from './shape-of.ts';
import type { Totals } from './totals.ts';

/** Of a measure that is no cost. */
export const NO_COST: Priced = { unpriced: null, calls: null };

/** What a window says of a group. `keep`: nothing, so the state stays. */
export type Level = 'ok' | 'warning' | 'critical' | 'no_data' | 'keep';

/** What a window says, and by what. */
export type Verdict = {
  readonly level: Level;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly baseline: number | null;
  readonly reason: Reason | null;
};
export type Reading = Verdict & Priced;

/** Reads values of one measure from sums. */
export type ValueReader = {
  requests(totals: Totals, group: number): number;
  /** Null without a value: a rate or time without calls, a cost of calls that have no price. */
  value(totals: Totals, group: number): number | null;
  priced(totals: Totals, group: number): Priced;
};

/** A reader of the sums of `shapeOf(rule)`. */
export function valueReader(measure: AlertMeasure): ValueReader {
  const { requests, value, priced } = readerOf(measure);
  return {
    requests,
    priced,
    value(totals, group) {
      let values = totals.values.get(measure);
      if (values === undefined) {
        values = [];
        totals.values.set(measure, values);
      }
      let known = values[group];
      if (known === undefined) {
        known = value(totals, group);
        values[group] = known;
      }
      return known;
    },
  };
}

/** Places of the unpriced and of all calls or runs among the sums of a cost's shape; null for a measure that is no cost. */
export function pricedPlaces(
  measure: AlertMeasure,
): { readonly unpriced: number; readonly calls: number } | null {
  if (isScoreMeasure(measure) || measureUnit(measure) !== 'USD') return null;
  if (isRunMeasure(measure))
    return { unpriced: RUN_SUMS.indexOf('unpriced'), calls: RUN_SUMS.indexOf('runs') };
  const names = sumsFor([sumMeasureOf(measure)]);
  return { unpriced: names.indexOf('unpriced'), calls: names.indexOf('requests') };
}

function pricedReader(measure: AlertMeasure): ValueReader['priced'] {
  const places = pricedPlaces(measure);
  if (places === null) return () => NO_COST;
  const { unpriced, calls } = places;
  return (totals, group) => ({ unpriced: totals.sum(group, unpriced), calls: totals.sum(group, calls) });
}

const readerOf = (measure: AlertMeasure): ValueReader =>
  isScoreMeasure(measure)
    ? scoreReader(measure)
    : isRunMeasure(measure)
      ? runReader(measure)
      : callReader(measure);

function runReader(measure: RunMeasure): ValueReader {
  const requestsAt = RUN_SUMS.indexOf('runs');
  const sums = Object.fromEntries(RUN_SUMS.map((name) => [name, 0])) as Record<RunSum, number>;
  return {
    requests: (totals, group) => totals.sum(group, requestsAt),
    value(totals, group) {
      if (isRunPercentile(measure)) {
        const { q, unit } = RUN_PERCENTILES[measure];
        const value = totals.quantile(group, q);
        return value === null ? null : value / unit;
      }
      for (const [place, name] of RUN_SUMS.entries()) sums[name] = totals.sum(group, place);
      return runMeasureOf(measure, sums);
    },
    priced: pricedReader(measure),
  };
}

/** Digits of a mean. The same values added up in another order may differ in the last digits, but not in these. */
const MEAN_DIGITS = 12;

function scoreReader(measure: ScoreMeasure): ValueReader {
  const { isCount, category } = parseScoreMeasure(measure);
  return {
    requests: (totals, group) => totals.sum(group, 0),
    value(totals, group) {
      const [count, sum] = [totals.sum(group, 0), totals.sum(group, 1)];
      if (isCount) return category === null ? count : sum;
      return count === 0 ? null : Number((sum / count).toPrecision(MEAN_DIGITS));
    },
    priced: pricedReader(measure),
  };
}

function callReader(measure: CallMeasure): ValueReader {
  const own = sumMeasureOf(measure);
  const names = sumsFor([own]);
  const quantile = quantileOf(measure);
  const requestsAt = names.indexOf('requests');
  const sums = Object.fromEntries(names.map((name) => [name, 0])) as Record<Sum, number>;
  return {
    requests: (totals, group) => totals.sum(group, requestsAt),
    value(totals, group) {
      if (quantile !== undefined) {
        const micros = totals.quantile(group, quantile.q);
        return micros === null ? null : micros / 1_000;
      }
      for (const [place, name] of names.entries()) sums[name] = totals.sum(group, place);
      return measureOf(own, sums);
    },
    priced: pricedReader(measure),
  };
}

const none = (level: Level, reason: Reason | null): Verdict => ({
  level,
  value: null,
  threshold: null,
  baseline: null,
  reason,
});

/**
 * What the windows of a rule say of a group.
 * @param requests calls in the window
 * @param unpriced those without a price, of a cost
 * @param before the earlier value of a change
 * @param unpricedBefore the calls without a price of that window, of a cost
 * @param usual what an anomaly is compared with
 */
export function read(
  rule: Rule,
  found: {
    readonly requests: number;
    readonly value: number | null;
    readonly unpriced: number | null;
    readonly before?: number | null | undefined;
    readonly unpricedBefore?: number | null | undefined;
    readonly usual?: Usual | null | undefined;
  },
): Verdict {
  const { requests, value, unpriced } = found;
  if (requests === 0 && rule.noData !== 'ignore')
    return none(rule.noData === 'notify' ? 'no_data' : 'ok', 'no_requests');
  if (value === null) return none('keep', (unpriced ?? 0) > 0 ? 'unpriced' : 'no_requests');
  if (requests < rule.minRequests) return { ...none('ok', 'few_requests'), value };
  const before = found.before ?? null;
  const verdict = byCondition(rule, { value, before, usual: found.usual ?? null });
  return isKnown(rule, verdict, { value, unpriced, before, unpricedBefore: found.unpricedBefore ?? null })
    ? verdict
    : { ...verdict, level: 'keep', reason: 'unpriced' };
}

function byCondition(
  rule: Rule,
  {
    value,
    before,
    usual,
  }: { readonly value: number; readonly before: number | null; readonly usual: Usual | null },
): Verdict {
  const { condition } = rule;
  if (condition.kind === 'threshold') return byThreshold(condition, value);
  if (condition.kind === 'change') return byChange(condition, value, before);
  return byAnomaly(rule, value, usual);
}

/**
 * Whether calls without a price leave a verdict as it is: their cost is not known, so that the value is a minimum. A
 * minimum tells that a cost is high, not that it is low; one to compare with tells that it fell, not that it rose.
 */
function isKnown(
  { measure, condition }: Rule,
  { level, baseline }: Verdict,
  figures: {
    readonly value: number;
    readonly unpriced: number | null;
    readonly before: number | null;
    readonly unpricedBefore: number | null;
  },
): boolean {
  if (level !== 'warning' && level !== 'critical') return true;
  const { value, before } = figures;
  const isLow =
    condition.kind === 'threshold' ? condition.operator.startsWith('l') : value < (baseline ?? value);
  return isLow
    ? markOf(measure, value, figures.unpriced) === 'known'
    : markOf(measure, before, figures.unpricedBefore) === 'known';
}

type Condition<K> = Extract<Rule['condition'], { kind: K }>;

const HOLDS = {
  gt: (value: number, bound: number) => value > bound,
  gte: (value: number, bound: number) => value >= bound,
  lt: (value: number, bound: number) => value < bound,
  lte: (value: number, bound: number) => value <= bound,
} as const;

function byThreshold({ operator, warning, critical }: Condition<'threshold'>, value: number): Verdict {
  const holds = HOLDS[operator];
  const level = holds(value, critical)
    ? 'critical'
    : warning !== undefined && holds(value, warning)
      ? 'warning'
      : 'ok';
  const threshold = level === 'critical' ? critical : (warning ?? critical);
  return { level, value, threshold, baseline: null, reason: null };
}

function byChange(
  { direction, percent }: Condition<'change'>,
  value: number,
  before: number | null,
): Verdict {
  // Nothing is said of a change from nothing: it would be infinite.
  if (before === null || before === 0) return { ...none('ok', 'no_baseline'), value, baseline: before };
  const change = ((value - before) / Math.abs(before)) * 100;
  const up = direction !== 'down' && change >= percent;
  const down = direction !== 'up' && change <= -percent;
  const sign = direction === 'down' || (direction === 'either' && change < 0) ? -1 : 1;
  const threshold = before + (sign * Math.abs(before) * percent) / 100;
  return { level: up || down ? 'critical' : 'ok', value, threshold, baseline: before, reason: null };
}

function byAnomaly(rule: Rule, value: number, usual: Usual | null): Verdict {
  const { condition, measure } = rule;
  if (condition.kind !== 'anomaly' || usual === null) return { ...none('ok', 'learning'), value };
  const { sensitivity } = condition;
  const { level, threshold } = compareWithUsual(value, usual, {
    measure,
    isTotal: isTotal(measure),
    sensitivity,
  });
  return { level, value, threshold, baseline: usual.median, reason: null };
}
