import type { Ctx } from '../../../context.ts';
import { eventsOf, type GroupFigures } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { ErrorsTimeline } from '../contract.ts';
import { bucketOf, fillBuckets } from '../fill-buckets.ts';
import type { AnalyticsInput } from '../input.ts';
import { withinLedger } from '../within-ledger.ts';
import { failedOf } from './errors.ts';

/** Groups that are told one by one: each has a number for each step. */
const MOST_GROUPS = 500;

/** When calls failed, by group: the largest as rows of their own, the others together. */
export async function readErrorsTimeline(
  ctx: Ctx,
  scope: EventScope,
  input: AnalyticsInput,
): Promise<ErrorsTimeline> {
  const { filters } = input;
  const window = await withinLedger(ctx, scope, input);
  const bucket = bucketOf(window);
  const [{ calls }, failures] = await Promise.all([
    eventsOf(ctx).metrics(scope, { calls: { measures: ['requests'], filters, window, bucket } }),
    eventsOf(ctx).groups(scope, {
      measures: ['requests'],
      groupBy: ['errorCode', 'status'],
      filters: { ...filters, status: failedOf(filters) },
      window,
      bucket,
      keep: { by: 'requests', direction: 'desc', limit: MOST_GROUPS },
    }),
  ]);
  const filled = fillBuckets(calls, window, bucket);
  const places = new Map(filled.map(({ time }, place) => [time, place]));
  const addTo = (counts: number[], { series: [requests = []] = [] }: GroupFigures): void => {
    for (const [step, count] of requests.entries()) {
      const place = places.get(failures.times[step] ?? 0);
      if (place !== undefined) counts[place] = (counts[place] ?? 0) + (count ?? 0);
    }
  };
  const none = (): number[] => new Array<number>(filled.length).fill(0);
  const groups = new Map<string, number[]>();
  for (const { key, ...figures } of failures.groups) {
    const name = key[0] ?? key[1] ?? 'error';
    const counts = groups.get(name) ?? none();
    groups.set(name, counts);
    addTo(counts, figures);
  }
  const others = none();
  if (failures.others !== null) addTo(others, failures.others);
  return {
    bucket,
    times: filled.map(({ time }) => formatInstant(time)),
    calls: filled.map(({ row }) => row?.requests ?? 0),
    groups: [...groups]
      .map(([error_code, counts]) => ({ error_code, counts }))
      .sort((a, b) => sum(b.counts) - sum(a.counts) || (a.error_code < b.error_code ? -1 : 1)),
    ...(failures.others && { others: { groups: failures.others.groups, counts: others } }),
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
