import { DAY_MS, HOUR_MS } from '../../../lib/time.ts';
import { BUCKET_LENGTHS } from '../../../lib/time-buckets.ts';

/** Lengths of buckets in milliseconds. `hour` and `day` are those of UTC. */
const LENGTHS = { ...BUCKET_LENGTHS, hour: HOUR_MS, day: DAY_MS } as const;
export type ChartBucket = keyof typeof LENGTHS;
export const lengthOf = (bucket: ChartBucket): number => LENGTHS[bucket];

export type Series = {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  /** Dashes of its line, where others have the same colour. */
  readonly dash?: string;
  /** The field of points with the value of the previous period; without it there is none to compare with. */
  readonly before?: string;
  /** The filter that finds the calls of the series; without it, it is no group, or one of all others. */
  readonly filter?: string;
};
/**
 * A bucket and its values by series. `end`: where it ends, ISO 8601, if its length is not the usual one. `before`
 * and `beforeEnd`: the time of the previous period that it is compared with.
 */
export type ChartPoint = {
  readonly time: string;
  readonly end?: string;
  readonly before?: string;
  readonly beforeEnd?: string;
} & Readonly<Record<string, number | string | null>>;
