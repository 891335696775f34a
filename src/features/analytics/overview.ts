import { EVENT_STATUSES } from '../../core/events/contract.ts';
import { latestEvents, queryMetrics, queryTotals } from '../../core/events/index.ts';
import type { Reader, ReadOp } from '../../db/reader.ts';
import { formatInstant, HOUR_MS } from '../../lib/time.ts';
import type { OverviewReply } from './contract.ts';
import { fillBuckets } from './fill-buckets.ts';
import { type AnalyticsInput, before } from './input.ts';

const HOURLY_UP_TO_MS = 48 * HOUR_MS;
const TOP_MODELS = 5;
const RECENT_ERRORS = 10;

/** interface.md, GET /v1/projects/:id/overview. */
export const overviewRead: ReadOp<AnalyticsInput, OverviewReply> = {
  name: 'analytics.overview',
  run: (reader, input) => ({
    ...readKpis(reader, input),
    ...readTimeline(reader, input),
    topModels: readTopModels(reader, input),
    recentErrors: readRecentErrors(reader, input),
  }),
};

function readKpis(
  reader: Reader,
  { filters, window }: AnalyticsInput,
): Pick<OverviewReply, 'kpis' | 'previous'> {
  const measures = ['requests', 'cost', 'latencyAvg', 'errorRate', 'errors', 'unpriced'] as const;
  const now = queryTotals(reader, {
    measures: [...measures, 'inputTokens', 'outputTokens'],
    filters,
    window,
  });
  const then = queryTotals(reader, { measures, filters, window: before(window) });
  const period = (row: typeof then): OverviewReply['previous'] => ({
    totalRequests: row.requests,
    totalCost: row.cost,
    avgLatency: row.latencyAvg,
    errorRate: row.errorRate,
    unpriced: row.unpriced,
  });
  const { errors, inputTokens, outputTokens } = now;
  return { kpis: { ...period(now), errors, inputTokens, outputTokens }, previous: period(then) };
}

/** Hourly up to 48 hours, daily beyond; empty buckets included. */
function readTimeline(
  reader: Reader,
  { filters, window }: AnalyticsInput,
): Pick<OverviewReply, 'bucket' | 'timeline'> {
  const bucket = window.to - 1 - window.from <= HOURLY_UP_TO_MS ? 'hour' : 'day';
  const rows = queryMetrics(reader, { measures: ['requests', 'cost', 'errors'], filters, window, bucket });
  const timeline = fillBuckets(rows, window, bucket).map(({ time, row }) => ({
    hour: formatInstant(time),
    requests: row?.requests ?? 0,
    cost: row?.cost ?? 0,
    errors: row?.errors ?? 0,
  }));
  return { bucket, timeline };
}

function readTopModels(reader: Reader, { filters, window }: AnalyticsInput): OverviewReply['topModels'] {
  const measures = ['cost', 'requests', 'unpriced'] as const;
  return queryMetrics(reader, { measures, groupBy: ['model'], filters, window })
    .sort((a, b) => b.cost - a.cost || b.requests - a.requests)
    .slice(0, TOP_MODELS)
    .map(({ model, cost, requests, unpriced }) => ({ model: model ?? 'unknown', cost, requests, unpriced }));
}

function readRecentErrors(
  reader: Reader,
  { filters, window }: AnalyticsInput,
): OverviewReply['recentErrors'] {
  const wanted = filters.status === undefined ? EVENT_STATUSES : [filters.status].flat();
  const status = wanted.filter((one) => one !== 'success');
  if (status.length === 0) return [];
  const query = { filters: { ...filters, status }, calls: true, window, limit: RECENT_ERRORS };
  return latestEvents(reader, query).map(({ event_id, model, status, error_code, timestamp }) => ({
    event_id,
    model,
    status,
    error_code,
    timestamp,
  }));
}
