import type { Ctx } from '../../../context.ts';
import { EVENT_STATUSES } from '../../../core/events/contract.ts';
import { eventsOf, leftOut, type MetricsQueries, windowBefore } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { OverviewReply } from '../contract.ts';
import { bucketOf, fillBuckets } from '../fill-buckets.ts';
import { type AnalyticsInput, onlyRow } from '../input.ts';

const TOP_MODELS = 5;
const RECENT_ERRORS = 10;

/** Key figures, timeline, top models and recent errors of a window. */
export async function readOverview(
  ctx: Ctx,
  scope: EventScope,
  input: AnalyticsInput,
): Promise<OverviewReply> {
  const { filters, window } = input;
  const bucket = bucketOf(window);
  const asked = {
    totals: { measures: PERIOD, filters, window },
    previous: { measures: PERIOD, filters, window: windowBefore(window) },
    buckets: { measures: BUCKET_MEASURES, bucket, filters, window },
    models: {
      measures: ['cost', 'requests', 'unpriced'],
      groupBy: ['model'],
      top: TOP_MODELS,
      filters,
      window,
    },
  } as const satisfies MetricsQueries;
  const [{ totals, previous, buckets, models }, recentErrors] = await Promise.all([
    eventsOf(ctx).metrics(scope, asked),
    readRecentErrors(ctx, scope, input),
  ]);
  const now = onlyRow(totals);
  return {
    kpis: { ...toPeriod(now), errors: now.errors },
    previous: toPeriod(onlyRow(previous)),
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
    recentErrors,
    ...(await leftOut(ctx, scope, window, { metrics: asked })),
  };
}

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

type ModelRow = {
  model: string | null;
  cost: number;
  requests: number;
  unpriced: number;
  others?: number | null;
};

const topOf = (models: readonly ModelRow[]): OverviewReply['topModels'] =>
  models
    .filter(({ others }) => others === undefined)
    .sort((a, b) => b.cost - a.cost || b.requests - a.requests)
    .slice(0, TOP_MODELS)
    .map(({ model, cost, requests, unpriced }) => ({ model: model ?? NO_MODEL, cost, requests, unpriced }));

async function readRecentErrors(
  ctx: Ctx,
  scope: EventScope,
  { filters, window }: AnalyticsInput,
): Promise<OverviewReply['recentErrors']> {
  const wanted = filters.status === undefined ? EVENT_STATUSES : [filters.status].flat();
  const status = wanted.filter((one) => one !== 'success');
  if (status.length === 0) return [];
  return eventsOf(ctx).newest(scope, {
    filters: { ...filters, status },
    calls: true,
    window,
    limit: RECENT_ERRORS,
    fields: ['event_id', 'model', 'status', 'error_code', 'timestamp'],
  });
}
