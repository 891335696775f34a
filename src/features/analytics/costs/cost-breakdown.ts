import type { Ctx } from '../../../context.ts';
import {
  BUCKET_MS,
  type Bucket,
  eventsOf,
  type LabelDimension,
  leftOut,
  type MetricsQueries,
  type MetricsRow,
  type Window,
} from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { formatInstant } from '../../../lib/time.ts';
import { COST_DIMENSIONS, type CostBreakdown } from '../contract.ts';
import { bucketOf, fillBuckets, type TimelineBucket } from '../fill-buckets.ts';
import { type AnalyticsInput, onlyRow } from '../input.ts';
import { withinLedger } from '../within-ledger.ts';

/** What costs are split by. */
export type BreakdownBy = (typeof COST_DIMENSIONS)[number] | LabelDimension;

/** The dimension that a request names: one of `COST_DIMENSIONS`, `key` or `tag:` and a name; null for another. */
export function breakdownBy(by: string): BreakdownBy | null {
  if (by === 'key') return 'keyId';
  if (by.startsWith('tag:')) return `tag:${by.slice('tag:'.length)}`;
  return COST_DIMENSIONS.find((dimension) => dimension === by) ?? null;
}

/** Groups that are told one by one: a reply has an end. */
const MAX_GROUPS = 2_000;
/** In a window that is told by the hour, users are too, if the calls are so few: else by the day. */
const FEW_CALLS = 50_000;
const MEASURES = ['cost', 'requests', 'unpriced', 'inputTokens', 'outputTokens', 'cacheRate'] as const;

/**
 * What the calls of a window cost by one dimension, in total and over time: the most expensive groups as rows of their
 * own, the others merged, and the calls without a value. Keys and tags without a filter are by day.
 * @throws AppError 400 if too many calls would have to be read one by one
 */
export async function readCostBreakdown(
  ctx: Ctx,
  scope: EventScope,
  input: AnalyticsInput & { readonly by: BreakdownBy },
): Promise<CostBreakdown> {
  const { by, filters } = input;
  const window = await withinLedger(ctx, scope, input);
  const costsBy = await bucketFor(ctx, scope, { ...input, window });
  const asked = {
    groups: { measures: MEASURES, groupBy: [by], costsBy, top: MAX_GROUPS, filters, window },
  } as const satisfies MetricsQueries;
  const { groups } = await eventsOf(ctx).metrics(scope, asked);
  const times = groups[0]?.costs.length ?? fillBuckets([], window, costsBy).length;
  const first = Math.floor(window.from / BUCKET_MS[costsBy]);
  return {
    by: by === 'keyId' ? 'key' : by,
    bucket: costsBy,
    times: Array.from({ length: times }, (_, i) => formatInstant((first + i) * BUCKET_MS[costsBy])),
    groups: groups.map((row) => toGroup(row[by] ?? null, row)),
    ...(await leftOut(ctx, scope, window, { metrics: asked })),
  };
}

async function bucketFor(
  ctx: Ctx,
  scope: EventScope,
  { by, filters, window }: AnalyticsInput & { readonly by: BreakdownBy; readonly window: Window },
): Promise<TimelineBucket> {
  const bucket = bucketOf(window);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  if (bucket === 'day' || isFiltered) return bucket;
  if (by === 'keyId' || by.startsWith('tag:')) return 'day';
  if (by !== 'userId') return bucket;
  const { all } = await eventsOf(ctx).metrics(scope, { all: { measures: ['requests'], window } });
  return onlyRow(all).requests <= FEW_CALLS ? bucket : 'day';
}

type Row = Omit<MetricsRow<{ measures: typeof MEASURES; window: Window; costsBy: Bucket }>, 'time'>;

const toGroup = (value: string | null, row: Row): CostBreakdown['groups'][number] => ({
  value: value ?? 'unknown',
  ...(value === null ? { none: true as const } : {}),
  ...(row.others === undefined ? {} : { others: row.others }),
  cost: row.cost,
  calls: row.requests,
  unpriced: row.unpriced,
  inputTokens: row.inputTokens,
  outputTokens: row.outputTokens,
  cacheRate: row.cacheRate,
  costs: [...row.costs],
});
