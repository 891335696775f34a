import type { Ctx } from '../../../context.ts';
import { eventsOf, leftOut, type MetricsQueries, windowBefore } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { type AnalyticsInput, onlyRow } from '../input.ts';
import type { PerformanceReply } from './contract.ts';

const MEASURES = [
  'latencyP50',
  'latencyP90',
  'latencyP95',
  'latencyP99',
  'requests',
  'latencyCount',
  'latencyAvg',
  'ttftAvg',
  'tokensPerSec',
  'timeoutRate',
] as const;

/** Latency percentiles, time to first token and speed, also of the window before. */
export async function readPerformance(
  ctx: Ctx,
  scope: EventScope,
  { filters, window }: AnalyticsInput,
): Promise<PerformanceReply> {
  const asked = {
    totals: { measures: MEASURES, filters, window },
    previous: { measures: MEASURES, filters, window: windowBefore(window) },
  } as const satisfies MetricsQueries;
  const { totals, previous } = await eventsOf(ctx).metrics(scope, asked);
  return {
    ...toFigures(onlyRow(totals)),
    previous: toFigures(onlyRow(previous)),
    ...(await leftOut(ctx, scope, window, { metrics: asked })),
  };
}

type Row = Readonly<Record<(typeof MEASURES)[number], number>>;

const toFigures = (row: Row): PerformanceReply['previous'] => ({
  latencyPercentiles: {
    p50: row.latencyP50,
    p90: row.latencyP90,
    p95: row.latencyP95,
    p99: row.latencyP99,
  },
  avgLatency: row.latencyAvg,
  avgTtft: row.ttftAvg,
  tokensPerSec: row.tokensPerSec,
  timeoutRate: row.timeoutRate,
  calls: row.requests,
  measuredCalls: row.latencyCount,
});
