import { type Condition, parseFilter } from '../../../core/events/filter/contract.ts';
import {
  type EventFilters,
  type Measure,
  type SeriesShape,
  type SeriesTime,
  SUM_MEASURES,
  sumsFor,
} from '../../../core/events/index.ts';
import type { AlertMeasure } from '../contract.ts';
import type { Rule } from '../table.ts';

/** The time whose percentile a measure is, and which one. */
export const QUANTILES: Partial<
  Readonly<Record<AlertMeasure, { readonly time: SeriesTime; readonly q: number }>>
> = {
  latencyP50: { time: 'latency', q: 0.5 },
  latencyP90: { time: 'latency', q: 0.9 },
  latencyP95: { time: 'latency', q: 0.95 },
  latencyP99: { time: 'latency', q: 0.99 },
  ttftP95: { time: 'ttft', q: 0.95 },
};

const ADDITIVE: ReadonlySet<AlertMeasure> = new Set([
  'errors',
  'cost',
  'requests',
  'rateLimited',
  'inputTokens',
  'outputTokens',
  'unpriced',
]);

/** Whether a measure is a total, which is 0 without calls. Rates and times then have no value. */
export const isTotal = (measure: AlertMeasure): boolean => ADDITIVE.has(measure);

/** The measure of the metrics whose sums a measure needs; of percentiles none but the calls. */
export const sumMeasureOf = (measure: AlertMeasure): Measure & keyof typeof SUM_MEASURES =>
  measure in SUM_MEASURES ? (measure as Measure & keyof typeof SUM_MEASURES) : 'requests';

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
  const quantile = QUANTILES[measure];
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
