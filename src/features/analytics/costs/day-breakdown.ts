import type { Ctx } from '../../../context.ts';
import { eventsOf, leftOut, type MetricsQueries } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { badRequest } from '../../../errors.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { CostBreakdown } from '../contract.ts';
import { fillBuckets } from '../fill-buckets.ts';
import type { AnalyticsInput } from '../input.ts';
import { withinLedger } from '../within-ledger.ts';

const MEASURES = ['cost', 'requests', 'unpriced', 'inputTokens', 'outputTokens', 'cacheRate'] as const;

/** Each day is a group that lists all days, so that a reply grows with their square: these are three years. */
const MAX_DAYS = 1_100;

/**
 * What the calls of a window cost by UTC day, in the order of time; days without calls are no group. Throws 400
 * for too many days.
 */
export async function readDayBreakdown(
  ctx: Ctx,
  scope: EventScope,
  input: AnalyticsInput,
): Promise<CostBreakdown> {
  const { filters } = input;
  const window = await withinLedger(ctx, scope, input);
  const asked = {
    rows: { measures: MEASURES, filters, window, bucket: 'day' },
  } as const satisfies MetricsQueries;
  const { rows } = await eventsOf(ctx).metrics(scope, asked);
  if (rows.length > MAX_DAYS) {
    const [most, found] = [MAX_DAYS, rows.length].map((count) => count.toLocaleString('en-US'));
    throw badRequest(`start: costs by day cover at most ${most} days, not ${found}; choose a shorter range`);
  }
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
  const left = await leftOut(ctx, scope, window, { metrics: asked });
  return { by: 'day', bucket: 'day', times, groups, ...left };
}
