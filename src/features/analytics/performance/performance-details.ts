import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import { formatInstant } from '../../../lib/time.ts';
import { bucketOf, fillBuckets } from '../fill-buckets.ts';
import type { AnalyticsInput } from '../input.ts';
import { MOST_MODELS } from '../most.ts';
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

/** Latency and speed of each model; of many, those with most calls. */
export async function readPerformanceModels(
  ctx: Ctx,
  scope: EventScope,
  { filters, window }: AnalyticsInput,
): Promise<PerformanceModels> {
  const measures = [...MEASURES, 'timeoutRate', 'errorRate'] as const;
  const { groups, others } = await eventsOf(ctx).groups(scope, {
    measures,
    groupBy: ['model'],
    filters,
    window,
    keep: { by: 'requests', direction: 'desc', limit: MOST_MODELS },
  });
  const models = groups.map(({ key: [model], values }) => {
    const row = Object.fromEntries(measures.map((name, place) => [name, values[place] ?? 0]));
    const { timeoutRate, errorRate, ...speed } = row as Record<(typeof measures)[number], number>;
    return { model: model ?? NO_MODEL, ...toSpeed(speed), timeoutRate, errorRate };
  });
  return { models, ...(others && { otherModels: others.groups }) };
}
