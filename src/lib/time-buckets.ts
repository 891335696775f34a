import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/** Buckets of time by name, with their usual length in milliseconds. Days of a time zone may be longer or shorter. */
export const BUCKET_LENGTHS = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '3h': 3 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
} as const;
export type BucketName = keyof typeof BUCKET_LENGTHS;

/** Buckets that are not all of the same length are listed, so that a query may have so many of them at most. */
export const MAX_ZONED_BUCKETS = 5_000;

/** Epoch milliseconds, half-open. */
type Span = { readonly from: number; readonly to: number };

/** Time divided into buckets, numbered in order of time. */
export type Division = {
  /** The number of the bucket that contains a time. */
  numberOf(ts: number): number;
  /** The start of a bucket; also that of the bucket after the last one of the span. Epoch milliseconds. */
  startOf(number: number): number;
  /** The length of all buckets, and how far before the epoch one starts; null if they are listed. */
  readonly fixed: { readonly ms: number; readonly shift: number } | null;
};

/** The first Monday is three days before the epoch. */
const WEEK_SHIFT = 3 * DAY_MS;

/** `timeZone`: IANA name, UTC by default. `behind`: how many milliseconds before the zone's clock buckets start. */
type Clock = { readonly timeZone?: string | undefined; readonly behind?: number | undefined };

/**
 * Divides time into buckets. Those of at most an hour, and all in UTC, have a fixed length. In another zone, buckets
 * start at the zone's midnight, or hours of its clock, and are numbered from 0 within the span; a day is as long as it is
 * there, and weeks start on Mondays.
 * @throws RangeError for an unknown zone, or more than `MAX_ZONED_BUCKETS` buckets
 */
export function divideTime(
  bucket: BucketName,
  span: Span,
  { timeZone = 'UTC', behind = 0 }: Clock = {},
): Division {
  const ms = BUCKET_LENGTHS[bucket];
  if (timeZone === 'UTC' || ms <= HOUR_MS) {
    const shift = (behind + (bucket === '1w' ? WEEK_SHIFT : 0)) % ms;
    if (shift % HOUR_MS === 0 || ms <= HOUR_MS) return divideEvenly(ms, shift);
  }
  const later = { from: span.from + behind, to: span.to + behind };
  const starts = startsOf(bucket, later, ms <= HOUR_MS ? 'UTC' : timeZone);
  return divideAt(starts.map((start) => start - behind));
}

const divideEvenly = (ms: number, shift: number): Division => ({
  numberOf: (ts) => Math.floor((ts + shift) / ms),
  startOf: (number) => number * ms - shift,
  fixed: { ms, shift },
});

/** UTC days, numbered from the epoch. */
export const UTC_DAYS: Division = divideEvenly(DAY_MS, 0);

function divideAt(starts: readonly number[]): Division {
  // Events of a segment are in order of time, so that the next is mostly in the same bucket.
  let last = 0;
  return {
    numberOf(ts) {
      if (ts < (starts[last] ?? 0) || ts >= (starts[last + 1] ?? Number.POSITIVE_INFINITY))
        last = lastAtOrBefore(starts, ts);
      return last;
    },
    startOf: (number) => starts[number] ?? Number.NaN,
    fixed: null,
  };
}

/** The place of the last start that is not after a time; the first before all of them. */
function lastAtOrBefore(starts: readonly number[], ts: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= ts) low = middle;
    else high = middle;
  }
  return low;
}

/** The starts of the buckets that overlap a span, and the end of the last. */
function startsOf(bucket: BucketName, { from, to }: Span, timeZone: string): number[] {
  const ms = BUCKET_LENGTHS[bucket];
  if ((to - from) / ms > MAX_ZONED_BUCKETS) throw new RangeError(`more than ${MAX_ZONED_BUCKETS} buckets`);
  const first = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone);
  const days = ms > DAY_MS ? 7 : 1;
  let day = first.subtract({ days: days === 7 ? first.dayOfWeek - 1 : 0 }).startOfDay();
  const starts: number[] = [];
  const add = (start: number): void => {
    // A day, or an hour of the clock, that a zone skips has no length.
    if (start > (starts.at(-1) ?? Number.NEGATIVE_INFINITY)) starts.push(start);
  };
  while ((starts.at(-1) ?? Number.NEGATIVE_INFINITY) < to) {
    add(day.epochMilliseconds);
    for (let hour = ms / HOUR_MS; hour < 24; hour += ms / HOUR_MS)
      add(day.withPlainTime({ hour }).epochMilliseconds);
    day = day.add({ days }).startOfDay();
  }
  const overlaps = starts.findLastIndex((start) => start <= from);
  return starts.slice(Math.max(0, overlaps), starts.findIndex((start) => start >= to) + 1);
}

/** Up to how long a window has buckets of which length. */
const STEPS: readonly (readonly [number, BucketName])[] = [
  [2 * HOUR_MS, '1m'],
  [8 * HOUR_MS, '5m'],
  [48 * HOUR_MS, '1h'],
  [200 * DAY_MS, '1d'],
];

/** Buckets that a chart of a window has room for and that read naturally: minutes, hours, days, weeks. */
export const autoBucket = ({ from, to }: Span): BucketName =>
  STEPS.find(([longest]) => to - 1 - from <= longest)?.[1] ?? '1w';
