import { DAY_MS, HOUR_MS } from '../../../lib/time.ts';
import { timeText, UTC, type Zone, zoneText } from '../format.ts';
import { type ChartBucket, type ChartPoint, lengthOf } from './chart-data.ts';

/** The zone in which buckets begin: days of the older replies are those of UTC, whatever the clock on the wall. */
const zoneOf = (bucket: ChartBucket, zone: Zone): Zone => (bucket === 'day' ? UTC : zone);

/** The label of a bucket. */
export const bucketText = (time: string, bucket: ChartBucket, zone: Zone): string => {
  const length = lengthOf(bucket);
  if (length < DAY_MS) return timeText.minute(time, zone);
  const day = timeText.day(time, zoneOf(bucket, zone));
  return length === DAY_MS ? day : `Week of ${day}`;
};

/**
 * The label of what a bucket is compared with; null for nothing. A period of days so far is no whole number of days
 * long, and then nor is what its days are compared with: both ends are named.
 */
export function beforeText(
  { before, beforeEnd }: ChartPoint,
  bucket: ChartBucket,
  zone: Zone,
): string | null {
  if (before === undefined) return null;
  const isMidnight = (at: string): boolean => timeText.clock(at, zoneOf(bucket, zone)) === '00:00';
  if (lengthOf(bucket) < DAY_MS || beforeEnd === undefined || (isMidnight(before) && isMidnight(beforeEnd)))
    return bucketText(before, bucket, zone);
  return `${timeText.minute(before, zoneOf(bucket, zone))} – ${timeText.minute(beforeEnd, zoneOf(bucket, zone))}`;
}

/** The label of a bucket on the axis: the day where one begins, else the time. */
export const tickText = (time: string, bucket: ChartBucket, zone: Zone): string => {
  const clock = timeText.clock(time, zone);
  return lengthOf(bucket) < DAY_MS && clock !== '00:00' ? clock : timeText.day(time, zoneOf(bucket, zone));
};

/** What the buckets are called as a column: `Day (UTC)`, `Time (Berlin)`. */
export const bucketHeader = (bucket: ChartBucket, zone: Zone): string => {
  const length = lengthOf(bucket);
  const what = length > DAY_MS ? 'Week' : length === DAY_MS ? 'Day' : length === HOUR_MS ? 'Hour' : 'Time';
  return `${what} (${zoneText(zoneOf(bucket, zone))})`;
};
