import { queryMetrics } from '../../core/events/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import { formatInstant } from '../../lib/time.ts';
import type { CostBreakdown } from './contract.ts';
import { fillBuckets } from './fill-buckets.ts';
import type { AnalyticsInput } from './input.ts';

const MEASURES = ['cost', 'requests', 'unpriced', 'inputTokens', 'outputTokens', 'cacheRate'] as const;

/** What the calls of a window cost by UTC day, in the order of time; days without calls are no group. */
export const dayBreakdownRead: ReadOp<AnalyticsInput, CostBreakdown> = {
  name: 'analytics.day-breakdown',
  run(reader, { filters, window }) {
    const rows = queryMetrics(reader, { measures: MEASURES, filters, window, bucket: 'day' });
    const days = fillBuckets(rows, window, 'day');
    const groups = days.flatMap(({ time, row }, place) =>
      row === undefined
        ? []
        : {
            value: formatInstant(time).slice(0, 10),
            cost: row.cost,
            calls: row.requests,
            unpriced: row.unpriced,
            inputTokens: row.inputTokens,
            outputTokens: row.outputTokens,
            cacheRate: row.cacheRate,
            costs: days.map((_, i) => (i === place ? row.cost : 0)),
          },
    );
    const times = days.map(({ time }) => formatInstant(time));
    return { by: 'day', bucket: 'day', times, groups };
  },
};
