import { EVENT_STATUSES } from '../../../core/events/contract.ts';
import { latestEvents, queryTogether, queryTotals } from '../../../core/events/index.ts';
import type { Reader, ReadOp } from '../../../db/reader.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { OverviewReply } from '../contract.ts';
import { bucketOf, fillBuckets } from '../fill-buckets.ts';
import { type AnalyticsInput, before } from '../input.ts';

const TOP_MODELS = 5;
const RECENT_ERRORS = 10;

/** interface.md, GET /v1/projects/:id/overview. */
export const overviewRead: ReadOp<AnalyticsInput, OverviewReply> = {
  name: 'analytics.overview',
  run(reader, input) {
    const { window } = input;
    const bucket = bucketOf(window);
    const { totals, buckets, models } = queryTogether(reader, input, {
      totals: { measures: PERIOD },
      buckets: { measures: BUCKET_MEASURES, bucket },
      models: { measures: ['cost', 'requests', 'unpriced'], groupBy: ['model'] },
    });
    const [now] = totals;
    if (now === undefined) throw new Error('totals without a row');
    const then = queryTotals(reader, { measures: PERIOD, filters: input.filters, window: before(window) });
    return {
      kpis: { ...toPeriod(now), errors: now.errors },
      previous: toPeriod(then),
      bucket,
      timeline: fillBuckets(buckets, window, bucket).map(({ time, row }) => ({
        hour: formatInstant(time),
        requests: row?.requests ?? 0,
        cost: row?.cost ?? 0,
        errors: row?.errors ?? 0,
        avgLatency: row?.latencyAvg ?? 0,
        inputTokens: row?.inputTokens ?? 0,
        outputTokens: row?.outputTokens ?? 0,
        cacheRate: row?.cacheRate ?? 0,
      })),
      topModels: topOf(models),
      recentErrors: readRecentErrors(reader, input),
    };
  },
};

const BUCKET_MEASURES = [
  'requests',
  'cost',
  'errors',
  'latencyAvg',
  'inputTokens',
  'outputTokens',
  'cacheRate',
] as const;
const PERIOD = [...BUCKET_MEASURES, 'errorRate', 'unpriced'] as const;
type Period = Readonly<Record<(typeof PERIOD)[number], number>>;

const toPeriod = (row: Period): OverviewReply['previous'] => ({
  totalRequests: row.requests,
  totalCost: row.cost,
  avgLatency: row.latencyAvg,
  errorRate: row.errorRate,
  unpriced: row.unpriced,
  inputTokens: row.inputTokens,
  outputTokens: row.outputTokens,
  cacheRate: row.cacheRate,
});

type ModelRow = { model: string | null; cost: number; requests: number; unpriced: number };

const topOf = (models: readonly ModelRow[]): OverviewReply['topModels'] =>
  models
    .toSorted((a, b) => b.cost - a.cost || b.requests - a.requests)
    .slice(0, TOP_MODELS)
    .map(({ model, cost, requests, unpriced }) => ({ model: model ?? NO_MODEL, cost, requests, unpriced }));

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
