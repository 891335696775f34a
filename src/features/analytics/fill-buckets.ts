import { BUCKET_MS, type Bucket, type Window } from '../../core/events/index.ts';
import { HOUR_MS } from '../../lib/time.ts';

const HOURLY_UP_TO_MS = 48 * HOUR_MS;

/** Hourly buckets up to 48 hours, daily ones beyond. */
export const bucketOf = ({ from, to }: Window): 'hour' | 'day' =>
  to - 1 - from <= HOURLY_UP_TO_MS ? 'hour' : 'day';

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
