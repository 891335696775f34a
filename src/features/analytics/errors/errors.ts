import {
  type EventFilters,
  FAILED_STATUSES,
  queryMetrics,
  queryTotals,
  type Window,
} from '../../../core/events/index.ts';
import type { Reader, ReadOp } from '../../../db/reader.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { ErrorsReply } from '../contract.ts';
import type { AnalyticsInput } from '../input.ts';
import { trendOf } from './trend.ts';

/** interface.md, GET /v1/errors. */
export const errorsRead: ReadOp<AnalyticsInput, ErrorsReply> = {
  name: 'analytics.errors',
  run(reader, input) {
    const { filters, window } = input;
    const measures = ['errors', 'requests', 'errorRate'] as const;
    const { errors, requests, errorRate } = queryTotals(reader, { measures, filters, window });
    return {
      errorGroups: errors === 0 ? [] : readGroups(reader, input),
      rateLimitHeatmap: errors === 0 ? [] : readHeatmap(reader, input),
      totalErrors: errors,
      totalCalls: requests,
      errorRate,
    };
  },
};

type Group = { count: number; readonly thirds: number[]; readonly models: Map<string, number> };

function readGroups(reader: Reader, { filters, window }: AnalyticsInput): ErrorsReply['errorGroups'] {
  const groups = new Map<string, Group>();
  for (const [place, third] of thirdsOf(window).entries()) {
    for (const { code, model, count } of readFailures(reader, filters, third)) {
      const group = groups.get(code) ?? { count: 0, thirds: [0, 0, 0], models: new Map<string, number>() };
      groups.set(code, group);
      group.count += count;
      group.thirds[place] = (group.thirds[place] ?? 0) + count;
      group.models.set(model, (group.models.get(model) ?? 0) + count);
    }
  }
  return [...groups]
    .map(
      ([
        error_code,
        {
          count,
          thirds: [first = 0, , last = 0],
          models,
        },
      ]) => ({
        error_code,
        count,
        trend: trendOf(first, last),
        top_model: topOf(models),
      }),
    )
    .sort((a, b) => b.count - a.count || (a.error_code < b.error_code ? -1 : 1));
}

/** Three windows that make up one; the first and the last are equally long. */
function thirdsOf({ from, to }: Window): [Window, Window, Window] {
  const third = Math.floor((to - from) / 3);
  const [second, last] = [from + third, to - third];
  return [
    { from, to: second },
    { from: second, to: last },
    { from: last, to },
  ];
}

/** Failed calls by code and model. A call that failed without a code goes under its status. */
function readFailures(
  reader: Reader,
  filters: EventFilters,
  window: Window,
): { code: string; model: string; count: number }[] {
  const wanted = filters.status === undefined ? FAILED_STATUSES : [filters.status].flat();
  const status = FAILED_STATUSES.filter((one) => wanted.some((other) => other === one));
  return queryMetrics(reader, {
    measures: ['requests'],
    groupBy: ['errorCode', 'status', 'model'],
    filters: { ...filters, status },
    window,
  }).map((row) => ({
    code: row.errorCode ?? row.status ?? 'error',
    model: row.model ?? NO_MODEL,
    count: row.requests,
  }));
}

function readHeatmap(reader: Reader, { filters, window }: AnalyticsInput): ErrorsReply['rateLimitHeatmap'] {
  if (filters.status !== undefined && ![filters.status].flat().includes('rate_limited')) return [];
  return queryMetrics(reader, {
    measures: ['rateLimited'],
    filters: { ...filters, status: 'rate_limited' },
    window,
    bucket: 'hour',
  }).map((row) => ({ hour: formatInstant(row.time ?? 0), rate_limited_count: row.rateLimited }));
}

/** The most frequent; of equals the first by name. */
const topOf = (models: ReadonlyMap<string, number>): string =>
  [...models].reduce(
    (top, one) => (one[1] > top[1] || (one[1] === top[1] && one[0] < top[0]) ? one : top),
    ['', 0],
  )[0];
