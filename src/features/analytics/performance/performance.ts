import { queryTotals } from '../../../core/events/index.ts';
import type { ReadOp } from '../../../db/reader.ts';
import type { PerformanceReply } from '../contract.ts';
import type { AnalyticsInput } from '../input.ts';

/** interface.md, GET /v1/performance. */
export const performanceRead: ReadOp<AnalyticsInput, PerformanceReply> = {
  name: 'analytics.performance',
  run(reader, { filters, window }) {
    const percentiles = ['latencyP50', 'latencyP90', 'latencyP95', 'latencyP99'] as const;
    const others = [
      'requests',
      'latencyCount',
      'latencyAvg',
      'ttftAvg',
      'tokensPerSec',
      'timeoutRate',
    ] as const;
    const row = queryTotals(reader, { measures: [...percentiles, ...others], filters, window });
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
  },
};
