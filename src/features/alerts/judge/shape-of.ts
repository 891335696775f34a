import { type Condition, parseFilter } from '../../../core/events/filter/contract.ts';
import {
  type EventFilters,
  isPercentile,
  isRunPercentile,
  PERCENTILES,
  RUN_PERCENTILES,
  RUN_SUMS,
  type RunShape,
  type SeriesShape,
  type SeriesTime,
  SUM_MEASURES,
  type SumMeasure,
  sumsFor,
} from '../../../core/events/index.ts';
import { isRunMeasure } from '../../../core/events/query/contract.ts';
import { SCORE_SUMS, type ScoreShape, toConditions } from '../../../core/scores/index.ts';
import { isScoreMeasure, parseScoreMeasure } from '../../../lib/scores/score-measures.ts';
import type { AlertMeasure, CallMeasure } from '../contract.ts';
import type { Rule } from '../table.ts';

/** What a rule adds up. `width` and `times`: sums and times of a cell. */
export type RuleShape = { readonly width: number; readonly times: number } & (
  | { readonly of: 'calls'; readonly calls: SeriesShape }
  | { readonly of: 'runs'; readonly runs: RunShape }
  | { readonly of: 'scores'; readonly scores: ScoreShape }
);

/** The time whose percentile a measure is, and which one; undefined for other measures. */
export const quantileOf = (
  measure: CallMeasure,
): { readonly time: SeriesTime; readonly q: number } | undefined =>
  isPercentile(measure) ? PERCENTILES[measure] : undefined;

const RUN_TOTALS: readonly string[] = ['runs', 'failedRuns', 'runCost'];

/** Whether a measure is a total, which is 0 without calls. Rates, means and times then have no value. */
export function isTotal(measure: AlertMeasure): boolean {
  if (isScoreMeasure(measure)) return parseScoreMeasure(measure).isCount;
  if (isRunMeasure(measure)) return RUN_TOTALS.includes(measure);
  return measure === 'cost' || (!isPercentile(measure) && !('isKnown' in SUM_MEASURES[measure]));
}

/** The measure whose sums a measure needs; of percentiles none but the calls. */
export const sumMeasureOf = (measure: CallMeasure): SumMeasure =>
  isPercentile(measure) ? 'requests' : measure;

const GROUPS = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  user: 'userId',
  key: 'keyId',
  agent: 'agent',
  tool: 'tool',
  release: 'release',
} as const;

/** The calls, runs or scores and the sums that a rule needs. Rules with equal shapes share their sums. */
export function shapeOf({ measure, filters, groupBy }: Rule): RuleShape {
  if (isScoreMeasure(measure)) {
    const { name, category } = parseScoreMeasure(measure);
    // Scores do not know costs.
    const where = toConditions(toEventFilters({ ...filters, costStatus: undefined }));
    return {
      ...{ of: 'scores', width: SCORE_SUMS, times: 0 },
      scores: { name, category, where, groupBy: dimensionOf(groupBy) },
    };
  }
  if (isRunMeasure(measure)) {
    const times = isRunPercentile(measure) ? [RUN_PERCENTILES[measure].time] : [];
    const runs: RunShape = { filters: toEventFilters(filters), groupBy: dimensionOf(groupBy), times };
    return { of: 'runs', width: RUN_SUMS.length, times: times.length, runs };
  }
  const quantile = quantileOf(measure);
  const calls: SeriesShape = {
    filters: toEventFilters(filters),
    groupBy: dimensionOf(groupBy),
    sums: sumsFor([sumMeasureOf(measure)]),
    times: quantile === undefined ? [] : [quantile.time],
  };
  return { of: 'calls', width: calls.sums.length, times: calls.times.length, calls };
}

const dimensionOf = (groupBy: Rule['groupBy']): SeriesShape['groupBy'] =>
  groupBy === null ? null : groupBy in GROUPS ? GROUPS[groupBy as keyof typeof GROUPS] : tagOf(groupBy);

const tagOf = (groupBy: string): `tag:${string}` => `tag:${groupBy.slice('tag:'.length)}`;

/** Conditions that some fields have a value. */
const conditionsOf = (fields: Readonly<Record<string, string | undefined>>): Condition[] =>
  Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field: field as Condition['field'], not: false, values: [value] }],
  );

function toEventFilters({ agent, tool, promptName, filter, ...filters }: Rule['filters']): EventFilters {
  const where: Condition[] = [
    ...conditionsOf({ agent, tool, prompt: promptName }),
    ...(filter === undefined ? [] : parseFilter(filter)),
  ];
  return { ...filters, ...(where.length === 0 ? {} : { where }) };
}
