import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import type { Measure } from './measures.ts';
import type { EventFilters, Window } from './selection.ts';

/** Length of a bucket in milliseconds. Buckets are UTC hours and days. */
export const BUCKET_MS = { hour: HOUR_MS, day: DAY_MS } as const;
export type Bucket = keyof typeof BUCKET_MS;

/** What an event has one value of. */
export type EventDimension =
  | 'model'
  | 'provider'
  | 'environment'
  | 'errorCode'
  | 'status'
  | 'kind'
  | 'userId'
  | 'sessionId';
/** The project key with which calls came, and the values of one tag by its name. */
export type LabelDimension = 'keyId' | `tag:${string}`;
/** What numbers can be grouped by. */
export type Dimension = EventDimension | LabelDimension;

/** In the place of a tag's value that is not told apart from others. */
export const OTHER = '…';

/** A question about the calls of a window; each call counts once. */
export type MetricsQuery = {
  readonly measures: readonly Measure[];
  readonly groupBy?: readonly Dimension[];
  readonly filters?: EventFilters;
  readonly window: Window;
  /** Splits time too: a row for each bucket with calls. */
  readonly bucket?: Bucket;
  /**
   * Also tells what each group cost in each bucket of the window, as `costs`: a fraction of what rows would
   * take. Keys, tags and users are known by the day only.
   */
  readonly costsBy?: Bucket;
  /** Of one dimension: the most expensive groups one by one, the rest as one row. */
  readonly top?: number;
};

/** Several questions by names of the caller's choice. */
export type MetricsQueries = Readonly<Record<string, MetricsQuery>>;

type DimensionsOf<Q> = Q extends { readonly groupBy: readonly (infer D extends Dimension)[] } ? D : never;

/**
 * The figures of one group: each measure by its name, each dimension as its value (null: the calls have none).
 * `time` is the start of the bucket in epoch milliseconds, null where time was not split. `others` is there on
 * a row that stands for several values: how many, null where that is not known.
 */
export type MetricsRow<Q extends MetricsQuery = MetricsQuery> = {
  readonly time: number | null;
  readonly others?: number | null;
} & Readonly<Record<Q['measures'][number], number>> &
  Readonly<Record<DimensionsOf<Q>, string | null>> &
  (Q extends { readonly costsBy: Bucket } ? { readonly costs: readonly number[] } : unknown);

/** The rows of each question by its name. */
export type MetricsAnswers<Q extends MetricsQueries> = { readonly [K in keyof Q]: MetricsRow<Q[K]>[] };
