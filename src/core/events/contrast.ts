import type { Side, Sides } from '../../lib/shift.ts';
import type { Sum } from './measures.ts';
import type { EventFilters, Window } from './selection.ts';

/**
 * Dimensions whose values can explain a change. Of values that explain it equally well, because they have the same calls,
 * the one of the earlier dimension is named. `promptVersion` values are `NAME@VERSION`.
 */
export const CONTRAST_DIMENSIONS = [
  'release',
  'model',
  'agent',
  'promptVersion',
  'promptName',
  'tool',
  'userId',
  'keyId',
  'environment',
  'provider',
  'errorCode',
] as const;
export type ContrastDimension = (typeof CONTRAST_DIMENSIONS)[number] | `tag:${string}`;

/** Calls that were slower than a limit, in milliseconds. Their `whole` is the calls that have the time. */
export type SlowCalls = { readonly of: 'latency' | 'ttft'; readonly overMs: number };

/** Compares the calls of two windows in every dimension. */
export type ContrastQuery = {
  readonly window: Window;
  readonly baseline: Window;
  readonly filters: EventFilters;
  /** The measure: a sum, one sum divided by another, or the fraction of slow calls. */
  readonly measure: { readonly part: Sum; readonly whole: Sum | null } | SlowCalls;
  /** Most values to list per dimension. */
  readonly values: number;
};

/** A value of a dimension; null stands for the calls without one. */
export type ContrastValue = Sides & { readonly value: string | null };

/** The values of a dimension with the largest changes, and the sums of the others. They add up to the totals. */
export type ContrastGroup = {
  readonly dimension: ContrastDimension;
  readonly values: readonly ContrastValue[];
  readonly others: Sides & { readonly values: number };
};

/** Calls that have the same of the candidate values: bit `i` of `mask` is set if they have candidate `i`. */
export type ContrastCell = Sides & {
  readonly mask: number;
  /** Sums of squares of `part`, for a ratio of its distance from the baseline's ratio, in each window. */
  readonly squares: readonly [before: number, after: number];
};

/** Two windows compared. */
export type Contrast = {
  readonly totals: Sides;
  readonly groups: readonly ContrastGroup[];
  /** The values that are most likely a cause, at most 24. */
  readonly candidates: readonly { readonly dimension: ContrastDimension; readonly value: string }[];
  /** All calls by the candidates that they have. They add up to the totals. */
  readonly cells: readonly ContrastCell[];
};

export type { Side, Sides };
