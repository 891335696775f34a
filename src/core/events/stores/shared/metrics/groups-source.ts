import type { SqlValue } from '../../../../../db/connection.ts';
import type { Division } from '../../../../../lib/time-buckets.ts';
import type { CallTime, Measure, Sum } from '../../../measures.ts';
import type { Histogram } from '../../../metrics.ts';
import type { Group, Quantiles } from './groups.ts';

/** A group's key, or that of the group with which it is merged. */
export type Target = (key: readonly SqlValue[]) => readonly SqlValue[];
/** The groups to which the values of a key belong. */
export type Targets = (key: readonly SqlValue[]) => readonly (readonly SqlValue[])[];

/** The calls of a query, with or without buckets, however a store reads them. */
export type CallsPass = {
  /** Null without buckets. */
  readonly division: Division | null;
  /** The sums of the calls by bucket and dimensions. */
  groups(sums: readonly Sum[], target?: Target): Map<string, Group>;
  /** Percentiles by the group's id. @param countOf the number of values over all groups */
  quantiles(
    measures: readonly Measure[],
    countOf: (time: CallTime) => number,
    targets?: Targets,
  ): (id: string) => Quantiles;
  /** @param buckets numbers of the buckets to tell apart; none without buckets */
  histogram(
    of: { readonly time: CallTime; readonly expected: number },
    buckets: readonly number[],
  ): Histogram;
};

/** Opens the calls of a query. */
export type GroupsSource = { whole(): CallsPass; byBucket(): CallsPass };
