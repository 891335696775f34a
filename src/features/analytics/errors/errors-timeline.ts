import { FAILED_STATUSES, queryMetrics } from '../../../core/events/index.ts';
import type { ReadOp } from '../../../db/reader.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { ErrorsTimeline } from '../contract.ts';
import { bucketOf, fillBuckets } from '../fill-buckets.ts';
import type { AnalyticsInput } from '../input.ts';
import { withinLedger } from '../within-ledger.ts';

/** When calls failed, by group. */
export const errorsTimelineRead: ReadOp<AnalyticsInput, ErrorsTimeline> = {
  name: 'analytics.errors-timeline',
  run(reader, { filters, window: asked, now }) {
    const window = withinLedger(reader, asked, now);
    const bucket = bucketOf(window);
    const calls = queryMetrics(reader, { measures: ['requests'], filters, window, bucket });
    const filled = fillBuckets(calls, window, bucket);
    const places = new Map(filled.map(({ time }, place) => [time, place]));
    const wanted = filters.status === undefined ? FAILED_STATUSES : [filters.status].flat();
    const status = FAILED_STATUSES.filter((one) => wanted.some((other) => other === one));
    const failures = queryMetrics(reader, {
      measures: ['requests'],
      groupBy: ['errorCode', 'status'],
      filters: { ...filters, status },
      window,
      bucket,
    });
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
  },
};

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
