import { type BucketName, type Division, divideTime } from '../../../../../lib/time-buckets.ts';
import type { Bucket } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';

/** The name under which a bucket's length is listed. */
const bucketName = (bucket: Bucket): BucketName =>
  bucket === 'hour' ? '1h' : bucket === 'day' ? '1d' : bucket;

/** The buckets of a query; null without. */
export const divisionOf = (
  bucket: Bucket | undefined,
  window: Window,
  clock: { readonly timeZone?: string | undefined; readonly behind?: number | undefined },
): Division | null => (bucket === undefined ? null : divideTime(bucketName(bucket), window, clock));
