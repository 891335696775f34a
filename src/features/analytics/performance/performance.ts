import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import type { PerformanceReply } from '../contract.ts';
import { type AnalyticsInput, onlyRow } from '../input.ts';

/** Latency percentiles, time to first token and speed. */
export async function readPerformance(
  ctx: Ctx,
  scope: EventScope,
  { filters, window }: AnalyticsInput,
): Promise<PerformanceReply> {
  const percentiles = ['latencyP50', 'latencyP90', 'latencyP95', 'latencyP99'] as const;
  const others = [
    'requests',
    'latencyCount',
    'latencyAvg',
    'ttftAvg',
    'tokensPerSec',
    'timeoutRate',
  ] as const;
  const { totals } = await eventsOf(ctx).metrics(scope, {
    totals: { measures: [...percentiles, ...others] as const, filters, window },
  });
  const row = onlyRow(totals);
  return {
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
  };
}
