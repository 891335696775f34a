import { compareWithUsual, type Usual } from '../../../core/alerts/index.ts';
import {
  isRunPercentile,
  measureOf,
  RUN_PERCENTILES,
  RUN_SUMS,
  type RunSum,
  runMeasureOf,
  SUM_MEASURES,
  type Sum,
  sumsFor,
} from '../../../core/events/index.ts';
import { isRunMeasure, type RunMeasure } from '../../../core/events/query/contract.ts';
import { isScoreMeasure, parseScoreMeasure, type ScoreMeasure } from '../../../lib/scores/score-measures.ts';
import type { AlertMeasure, CallMeasure, Reason } from '../contract.ts';
import type { Rule } from '../table.ts';
import { isTotal, quantileOf, sumMeasureOf } from './shape-of.ts';
import type { Totals } from './totals.ts';

/** What a window says of a group. `keep`: nothing, so the state stays. */
export type Level = 'ok' | 'warning' | 'critical' | 'no_data' | 'keep';

export type Reading = {
  readonly level: Level;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly baseline: number | null;
  readonly reason: Reason | null;
};

/** Reads values of one measure from sums. */
export type ValueReader = {
  requests(totals: Totals, group: number): number;
  /** Null without a value: a rate or time without calls. */
  value(totals: Totals, group: number): number | null;
};

/** A reader of the sums of `shapeOf(rule)`. */
export function valueReader(measure: AlertMeasure): ValueReader {
  const { requests, value } = readerOf(measure);
  return {
    requests,
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
      const value = runMeasureOf(measure, sums);
      return isTotal(measure) ? (value ?? 0) : value;
    },
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
      return isTotal(measure) ? SUM_MEASURES[own].of(sums) : measureOf(own, sums);
    },
  };
}

const none = (level: Level, reason: Reason | null): Reading => ({
  level,
  value: null,
  threshold: null,
  baseline: null,
  reason,
});

/**
 * What the windows of a rule say of a group.
 * @param requests calls in the window
 * @param before the earlier value of a change
 * @param usual what an anomaly is compared with
 */
export function read(
  rule: Rule,
  found: {
    readonly requests: number;
    readonly value: number | null;
    readonly before?: number | null | undefined;
    readonly usual?: Usual | null | undefined;
  },
): Reading {
  const { requests, value } = found;
  if (requests === 0 && rule.noData !== 'ignore')
    return none(rule.noData === 'notify' ? 'no_data' : 'ok', 'no_requests');
  if (value === null) return none('keep', 'no_requests');
  if (requests < rule.minRequests) return { ...none('ok', 'few_requests'), value };
  const { condition } = rule;
  if (condition.kind === 'threshold') return byThreshold(condition, value);
  if (condition.kind === 'change') return byChange(condition, value, found.before ?? null);
  return byAnomaly(rule, value, found.usual ?? null);
}

type Condition<K> = Extract<Rule['condition'], { kind: K }>;

const HOLDS = {
  gt: (value: number, bound: number) => value > bound,
  gte: (value: number, bound: number) => value >= bound,
  lt: (value: number, bound: number) => value < bound,
  lte: (value: number, bound: number) => value <= bound,
} as const;

function byThreshold({ operator, warning, critical }: Condition<'threshold'>, value: number): Reading {
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
): Reading {
  // Nothing is said of a change from nothing: it would be infinite.
  if (before === null || before === 0) return { ...none('ok', 'no_baseline'), value, baseline: before };
  const change = ((value - before) / Math.abs(before)) * 100;
  const up = direction !== 'down' && change >= percent;
  const down = direction !== 'up' && change <= -percent;
  const sign = direction === 'down' || (direction === 'either' && change < 0) ? -1 : 1;
  const threshold = before + (sign * Math.abs(before) * percent) / 100;
  return { level: up || down ? 'critical' : 'ok', value, threshold, baseline: before, reason: null };
}

function byAnomaly(rule: Rule, value: number, usual: Usual | null): Reading {
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
