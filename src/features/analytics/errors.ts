import {
  type EventFilters,
  FAILED_STATUSES,
  queryMetrics,
  queryTotals,
  type Window,
} from '../../core/events/index.ts';
import type { Reader, ReadOp } from '../../db/reader.ts';
import { formatInstant } from '../../lib/time.ts';
import type { ErrorsReply } from './contract.ts';
import type { AnalyticsInput } from './input.ts';
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

type Group = { count: number; models: Map<string, number> };

function readGroups(reader: Reader, { filters, window }: AnalyticsInput): ErrorsReply['errorGroups'] {
  const failed = failedOnly(filters);
  const groups = new Map<string, Group>();
  const groupBy = ['errorCode', 'status', 'model'] as const;
  for (const row of queryMetrics(reader, {
    measures: ['requests'],
    groupBy: [...groupBy],
    filters: failed,
    window,
  })) {
    const code = codeOf(row);
    const group = groups.get(code) ?? { count: 0, models: new Map<string, number>() };
    groups.set(code, group);
    const model = row.model ?? 'unknown';
    group.count += row.requests;
    group.models.set(model, (group.models.get(model) ?? 0) + row.requests);
  }
  const third = Math.floor((window.to - window.from) / 3);
  const first = countByCode(reader, failed, { from: window.from, to: window.from + third });
  const last = countByCode(reader, failed, { from: window.to - third, to: window.to });
  return [...groups]
    .map(([error_code, { count, models }]) => ({
      error_code,
      count,
      trend: trendOf(first.get(error_code) ?? 0, last.get(error_code) ?? 0),
      top_model: topOf(models),
    }))
    .sort((a, b) => b.count - a.count || (a.error_code < b.error_code ? -1 : 1));
}

function countByCode(reader: Reader, filters: EventFilters, window: Window): Map<string, number> {
  const counts = new Map<string, number>();
  const groupBy: ('errorCode' | 'status')[] = ['errorCode', 'status'];
  for (const row of queryMetrics(reader, { measures: ['requests'], groupBy, filters, window })) {
    counts.set(codeOf(row), (counts.get(codeOf(row)) ?? 0) + row.requests);
  }
  return counts;
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

/** The filters, without the statuses that are no failure. */
function failedOnly(filters: EventFilters): EventFilters {
  const wanted = filters.status === undefined ? null : [filters.status].flat();
  return { ...filters, status: FAILED_STATUSES.filter((status) => wanted?.includes(status) ?? true) };
}

/** A call that failed without a code is grouped under its status. */
const codeOf = (row: { errorCode: string | null; status: string | null }): string =>
  row.errorCode ?? row.status ?? 'error';

const topOf = (models: ReadonlyMap<string, number>): string =>
  [...models].reduce((top, one) => (one[1] > top[1] ? one : top), ['', 0])[0];
