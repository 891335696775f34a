import type { Division } from '../../../../../lib/time-buckets.ts';
import type { Dimension } from '../../../metrics.ts';
import type { EventFilters, Window } from '../../../selection.ts';

/** The calls of a query, and how they are grouped. */
export type Calls = {
  readonly filters: EventFilters;
  readonly window: Window;
  readonly dimensions: readonly Dimension[];
  readonly division: Division | null;
};
