import { type Condition, parseFilter } from '../../../core/events/filter/contract.ts';
import {
  type EventFilters,
  isPercentile,
  PERCENTILES,
  type SeriesShape,
  type SeriesTime,
  SUM_MEASURES,
  type SumMeasure,
  sumsFor,
} from '../../../core/events/index.ts';
import type { AlertMeasure } from '../contract.ts';
import type { Rule } from '../table.ts';

/** The time whose percentile a measure is, and which one; undefined for other measures. */
export const quantileOf = (
  measure: AlertMeasure,
): { readonly time: SeriesTime; readonly q: number } | undefined =>
  isPercentile(measure) ? PERCENTILES[measure] : undefined;

/** Whether a measure is a total, which is 0 without calls. Rates, means and times then have no value. */
export const isTotal = (measure: AlertMeasure): boolean =>
  measure === 'cost' || (!isPercentile(measure) && !('isKnown' in SUM_MEASURES[measure]));

/** The measure whose sums a measure needs; of percentiles none but the calls. */
export const sumMeasureOf = (measure: AlertMeasure): SumMeasure =>
  isPercentile(measure) ? 'requests' : measure;

const GROUPS = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  user: 'userId',
  key: 'keyId',
  agent: 'agent',
  release: 'release',
} as const;

/** The calls and sums that a rule needs. Rules with equal shapes share their sums. */
export function shapeOf({ measure, filters, groupBy }: Rule): SeriesShape {
  const quantile = quantileOf(measure);
  return {
    filters: toEventFilters(filters),
    groupBy:
      groupBy === null ? null : groupBy in GROUPS ? GROUPS[groupBy as keyof typeof GROUPS] : tagOf(groupBy),
    sums: sumsFor([sumMeasureOf(measure)]),
    times: quantile === undefined ? [] : [quantile.time],
  };
}

const tagOf = (groupBy: string): `tag:${string}` => `tag:${groupBy.slice('tag:'.length)}`;

function toEventFilters({ agent, tool, promptName, filter, ...filters }: Rule['filters']): EventFilters {
  const fields = Object.entries({ agent, tool, prompt: promptName });
  const where: Condition[] = [
    ...fields.flatMap(([field, value]) =>
      value === undefined ? [] : [{ field: field as Condition['field'], not: false, values: [value] }],
    ),
    ...(filter === undefined ? [] : parseFilter(filter)),
  ];
  return { ...filters, ...(where.length === 0 ? {} : { where }) };
}
