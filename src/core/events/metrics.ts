import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import { BUCKET_LENGTHS } from '../../lib/time-buckets.ts';
import type { CallTime, Measure } from './measures.ts';
import type { EventFilters, Window } from './selection.ts';

/** Usual length of a bucket in milliseconds. `hour` and `day` are other names of `1h` and `1d`. */
export const BUCKET_MS = { ...BUCKET_LENGTHS, hour: HOUR_MS, day: DAY_MS } as const;
export type Bucket = keyof typeof BUCKET_MS;

/** Dimensions with one value per event. */
export const EVENT_DIMENSIONS = [
  'model',
  'provider',
  'environment',
  'errorCode',
  'status',
  'kind',
  'operation',
  'userId',
  'sessionId',
  'release',
  'agent',
  'agentVersion',
  'tool',
  'promptName',
  'promptVersion',
  'finishReason',
] as const;
export type EventDimension = (typeof EVENT_DIMENSIONS)[number];
/** The project key that sent the calls, and the values of one tag by its name. */
export type LabelDimension = 'keyId' | `tag:${string}`;
/** Dimensions to group by, in any combination. */
export type Dimension = EventDimension | LabelDimension;

/** Stands for tag values beyond the limit of distinct values. */
export const OTHER = '…';

/** A query over the calls of a window; each call counts once. */
export type MetricsQuery = {
  readonly measures: readonly Measure[];
  readonly groupBy?: readonly Dimension[];
  readonly filters?: EventFilters;
  readonly window: Window;
  /** Also groups by time: one row per bucket that has calls. */
  readonly bucket?: Bucket;
  /**
   * Also returns the cost of each group per bucket of the window, as `costs`, which is much smaller than a row per
   * bucket.
   */
  readonly costsBy?: Bucket;
  /**
   * IANA name of the time zone in which buckets of more than an hour start: days at midnight, weeks on Mondays. Default:
   * UTC. Then a window must not have more than `MAX_ZONED_BUCKETS`.
   */
  readonly timeZone?: string;
  /** Measures without a value, such as a mean of no calls, are null instead of 0. */
  readonly nulls?: true;
  /**
   * Returns the first groups as rows of their own and merges the rest into one row; not with `bucket`. Calls without a
   * value of any dimension keep a row of their own.
   */
  readonly top?: number;
  /** By what the groups of `top` are ordered, descending. Default: `cost`. */
  readonly topBy?: TopBy;
  /**
   * Returns one row for each first value that these dimensions have, such as the error code or else the status: that of
   * the other dimensions with most calls. Not with `bucket` or `top`.
   */
  readonly leadersOf?: readonly Dimension[];
};

/** What groups can be ranked by. */
export type TopBy = 'cost' | 'requests' | 'unpriced';

/** Several queries, by names that the caller chooses. */
export type MetricsQueries = Readonly<Record<string, MetricsQuery>>;

type DimensionsOf<Q> = Q extends { readonly groupBy: readonly (infer D extends Dimension)[] } ? D : never;

/**
 * One group: each measure by name, each dimension by value (null if the calls have none). `time` is the start of the
 * bucket in epoch milliseconds, null without `bucket`. `others` is set on a row that merges several values: their
 * number, null if unknown.
 */
export type MetricsRow<Q extends MetricsQuery = MetricsQuery> = {
  readonly time: number | null;
  readonly others?: number | null;
} & Readonly<Record<Q['measures'][number], Q extends { readonly nulls: true } ? number | null : number>> &
  Readonly<Record<DimensionsOf<Q>, string | null>> &
  (Q extends { readonly costsBy: Bucket } ? { readonly costs: readonly number[] } : unknown);

/** The rows of each question by its name. */
export type MetricsAnswers<Q extends MetricsQueries> = { readonly [K in keyof Q]: MetricsRow<Q[K]>[] };

/** A query over the calls of a window by at most two dimensions, whose reply is bounded. */
export type GroupsQuery = {
  readonly measures: readonly Measure[];
  readonly groupBy: readonly Dimension[];
  readonly filters: EventFilters;
  readonly window: Window;
  /** Also returns each measure by bucket, as `series`. */
  readonly bucket?: Bucket;
  /** See `MetricsQuery`. */
  readonly timeZone?: string;
  /**
   * How far in the past the window lies from the window whose buckets are used, in milliseconds: so that a previous period
   * is divided like the period that it is compared with.
   */
  readonly behind?: number;
  /** The groups of their own: the first by a measure, or those with these values, in this order. */
  readonly keep: RankedGroups | { readonly keys: readonly (readonly (string | null)[])[] };
  /** Also counts the calls by a time of theirs. */
  readonly histogram?: CallTime;
  /** Also returns the groups as a table of so many values of each of two dimensions; needs `RankedGroups`. */
  readonly matrix?: number;
};

/**
 * Calls by a time in milliseconds, in bins of `lib/ranges/time-bins.ts` from the first to the last that has calls: bin `i` is
 * from `bounds[i]` to below `bounds[i + 1]`. `series`: the counts of each bucket. Unless `isExact`, a call whose time is
 * within 1 % of a bound may be counted in the bin on the other side of it.
 */
export type Histogram = {
  readonly isExact: boolean;
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly series?: readonly (readonly number[])[];
};

/** A value of a dimension, or, with their number in `others`, all others; and the values of the measures. */
export type MatrixSide = {
  readonly value: string | null;
  readonly others: number | null;
  readonly values: readonly (number | null)[];
};

/** Groups by two dimensions: the values of the measures by row and column; null where there are no calls. */
export type Matrix = {
  readonly rows: readonly MatrixSide[];
  readonly columns: readonly MatrixSide[];
  readonly cells: readonly (readonly (readonly (number | null)[])[])[];
};

/** The groups with the highest or lowest values of a measure; groups without a value come last. */
export type RankedGroups = {
  readonly by: Measure;
  readonly direction: 'desc' | 'asc';
  readonly limit: number;
};

/** The values of each measure, null if it is unknown; `series`: by bucket, for each measure. */
export type GroupFigures = {
  readonly values: readonly (number | null)[];
  readonly series?: readonly (readonly (number | null)[])[];
};

/** Figures of a window by group. */
export type GroupsAnswer = {
  /** The groups of their own, with the value of each dimension; null for calls without one. */
  readonly groups: readonly (GroupFigures & { readonly key: readonly (string | null)[] })[];
  /** The calls of all other groups, and the number of these; null if there are none. */
  readonly others: (GroupFigures & { readonly groups: number }) | null;
  /** All calls. */
  readonly total: GroupFigures;
  /** The starts of the buckets, and the end of the last; empty without buckets. Epoch milliseconds. */
  readonly times: readonly number[];
  readonly histogram?: Histogram;
  readonly matrix?: Matrix;
};

/** What figures lack of the calls that retention has deleted, and what they have too much of them. */
export type DeletedCalls = {
  /**
   * The time, in epoch milliseconds, before which calls are in no figure, because no sums tell what is asked; null if no
   * call of the windows is left out for that.
   */
  readonly before: number | null;
  /**
   * Hours and days of which a window has a part and figures have all calls: their single calls were deleted, or are
   * damaged, and a sum stands for all of them. In order of time.
   */
  readonly countedWhole: readonly Window[];
};

/** Queries whose figures stand together: of `metrics` and `groups`, and under `runs` of reads that need the events. */
export type AskedFigures = {
  readonly metrics?: MetricsQueries;
  readonly groups?: readonly Omit<GroupsQuery, 'keep'>[];
  readonly runs?: readonly { readonly window: Window }[];
};
