import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import { formatInstant } from '../../../lib/time.ts';
import { bucketOf, fillBuckets } from '../fill-buckets.ts';
import type { AnalyticsInput } from '../input.ts';
import type { PerformanceModels, PerformanceTimeline } from './contract.ts';

const MEASURES = [
  'requests',
  'latencyAvg',
  'latencyP50',
  'latencyP90',
  'latencyP95',
  'latencyP99',
  'ttftAvg',
  'tokensPerSec',
] as const;
type Row = Readonly<Record<(typeof MEASURES)[number], number>>;

const toSpeed = (row: Row | undefined): Omit<PerformanceTimeline['timeline'][number], 'time'> => ({
  calls: row?.requests ?? 0,
  avgLatency: row?.latencyAvg ?? 0,
  p50: row?.latencyP50 ?? 0,
  p90: row?.latencyP90 ?? 0,
  p95: row?.latencyP95 ?? 0,
  p99: row?.latencyP99 ?? 0,
  avgTtft: row?.ttftAvg ?? 0,
  tokensPerSec: row?.tokensPerSec ?? 0,
});

/** Latency and speed over time. */
export async function readPerformanceTimeline(
  ctx: Ctx,
  scope: EventScope,
  { filters, window }: AnalyticsInput,
): Promise<PerformanceTimeline> {
  const bucket = bucketOf(window);
  const { rows } = await eventsOf(ctx).metrics(scope, {
    rows: { measures: MEASURES, filters, window, bucket },
  });
  const timeline = fillBuckets(rows, window, bucket).map(({ time, row }) => ({
    time: formatInstant(time),
    ...toSpeed(row),
  }));
  return { bucket, timeline };
}

/** Latency and speed of each model. */
export async function readPerformanceModels(
  ctx: Ctx,
  scope: EventScope,
  { filters, window }: AnalyticsInput,
): Promise<PerformanceModels> {
  const measures = [...MEASURES, 'timeoutRate', 'errorRate'] as const;
  const { rows } = await eventsOf(ctx).metrics(scope, {
    rows: { measures, groupBy: ['model'], filters, window },
  });
  const models = rows
    .map((row) => ({
      model: row.model ?? NO_MODEL,
      ...toSpeed(row),
      timeoutRate: row.timeoutRate,
      errorRate: row.errorRate,
    }))
    .sort((a, b) => b.calls - a.calls || (a.model < b.model ? -1 : 1));
  return { models };
}
