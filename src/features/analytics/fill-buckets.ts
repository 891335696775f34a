import { BUCKET_MS, type Bucket, type Window } from '../../core/events/index.ts';
import { HOUR_MS } from '../../lib/time.ts';

/** Buckets of the figures over time; hours and days are those of UTC. */
export type TimelineBucket = '1m' | '5m' | 'hour' | 'day';

/** Minutes up to two hours, five minutes up to eight, hours up to 48, days beyond. */
export function bucketOf({ from, to }: Window): TimelineBucket {
  const hours = (to - 1 - from) / HOUR_MS;
  if (hours <= 2) return '1m';
  if (hours <= 8) return '5m';
  return hours <= 48 ? 'hour' : 'day';
}

/**
 * One entry for each bucket of a window, in order of time: the row of the bucket, or undefined. The last
 * instant of a window is inclusive; where it begins a bucket of its own, that is there only with a row.
 */
export function fillBuckets<R extends { readonly time: number | null }>(
  rows: readonly R[],
  window: Window,
  bucket: Bucket,
): { time: number; row: R | undefined }[] {
  const ms = BUCKET_MS[bucket];
  const byTime = new Map(rows.map((row) => [row.time, row]));
  const first = Math.floor(window.from / ms) * ms;
  const filled: { time: number; row: R | undefined }[] = [];
  for (let time = first; time < window.to; time += ms) {
    const row = byTime.get(time);
    const isEndOnly = time === window.to - 1 && time > window.from;
    if (row !== undefined || !isEndOnly) filled.push({ time, row });
  }
  return filled;
}
