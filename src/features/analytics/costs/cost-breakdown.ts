import { queryTogether } from '../../../core/events/index.ts';
import type { ReadOp } from '../../../db/reader.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { COST_DIMENSIONS, CostBreakdown } from '../contract.ts';
import { bucketOf, fillBuckets } from '../fill-buckets.ts';
import type { AnalyticsInput } from '../input.ts';
import { withinLedger } from '../within-ledger.ts';
import { withOthers } from './group-others.ts';

export type BreakdownInput = AnalyticsInput & { readonly by: (typeof COST_DIMENSIONS)[number] | 'userId' };

const MEASURES = ['cost', 'requests', 'unpriced', 'inputTokens', 'outputTokens', 'cacheRate'] as const;

/** What the calls of a window cost, by one thing, in all and over time. */
export const costBreakdownRead: ReadOp<BreakdownInput, CostBreakdown> = {
  name: 'analytics.cost-breakdown',
  run(reader, { by, filters, window: asked, now }) {
    const window = withinLedger(reader, asked, now);
    const bucket = bucketOf(window);
    const { totals, rows } = queryTogether(
      reader,
      { filters, window },
      {
        totals: { measures: MEASURES, groupBy: [by] },
        rows: { measures: ['cost'], groupBy: [by], bucket },
      },
    );
    const times = fillBuckets(rows, window, bucket).map(({ time }) => time);
    const places = new Map(times.map((time, place) => [time, place]));
    const costs = new Map<string | null, number[]>();
    for (const row of rows) {
      const series = costs.get(row[by]) ?? new Array<number>(times.length).fill(0);
      costs.set(row[by], series);
      series[places.get(row.time ?? 0) ?? 0] = row.cost;
    }
    const groups = totals
      .map((row) => ({
        value: row[by] ?? 'unknown',
        ...(row[by] === null ? { none: true as const } : {}),
        cost: row.cost,
        calls: row.requests,
        unpriced: row.unpriced,
        inputTokens: row.inputTokens,
        outputTokens: row.outputTokens,
        cacheRate: row.cacheRate,
        costs: costs.get(row[by]) ?? [],
      }))
      .sort((a, b) => b.cost - a.cost || b.calls - a.calls || (a.value < b.value ? -1 : 1));
    return { by, bucket, times: times.map(formatInstant), groups: withOthers(groups) };
  },
};
