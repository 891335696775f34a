import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { ErrorsTimeline } from '../contract.ts';
import { bucketOf, fillBuckets } from '../fill-buckets.ts';
import type { AnalyticsInput } from '../input.ts';
import { withinLedger } from '../within-ledger.ts';
import { failedOf } from './errors.ts';

/** When calls failed, by group. */
export async function readErrorsTimeline(
  ctx: Ctx,
  scope: EventScope,
  input: AnalyticsInput,
): Promise<ErrorsTimeline> {
  const { filters } = input;
  const window = await withinLedger(ctx, scope, input);
  const bucket = bucketOf(window);
  const { calls, failures } = await eventsOf(ctx).metrics(scope, {
    calls: { measures: ['requests'], filters, window, bucket },
    failures: {
      measures: ['requests'],
      groupBy: ['errorCode', 'status'],
      filters: { ...filters, status: failedOf(filters) },
      window,
      bucket,
    },
  });
  const filled = fillBuckets(calls, window, bucket);
  const places = new Map(filled.map(({ time }, place) => [time, place]));
  const groups = new Map<string, number[]>();
  for (const { time, errorCode, status: ended, requests } of failures) {
    const name = errorCode ?? ended ?? 'error';
    const counts = groups.get(name) ?? new Array<number>(filled.length).fill(0);
    groups.set(name, counts);
    const place = places.get(time ?? 0) ?? 0;
    counts[place] = (counts[place] ?? 0) + requests;
  }
  return {
    bucket,
    times: filled.map(({ time }) => formatInstant(time)),
    calls: filled.map(({ row }) => row?.requests ?? 0),
    groups: [...groups]
      .map(([error_code, counts]) => ({ error_code, counts }))
      .sort((a, b) => sum(b.counts) - sum(a.counts) || (a.error_code < b.error_code ? -1 : 1)),
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
