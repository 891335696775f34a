import type { Sum } from './measures.ts';
import type { Dimension } from './metrics.ts';
import type { EventFilters, Window } from './selection.ts';

/** Times whose distribution a series can have. */
export type SeriesTime = 'latency' | 'ttft';

/** Calls that are summed together: those that match, by one dimension or without. */
export type SeriesShape = {
  readonly filters: EventFilters;
  readonly groupBy: Dimension | null;
  readonly sums: readonly Sum[];
  readonly times: readonly SeriesTime[];
};

/** Sums of several shapes over several ranges in steps. Ranges begin and end with a step, in epoch milliseconds. */
export type SeriesQuery = {
  /** Reads the events themselves, also where there are sums of them, to check these. */
  readonly fromEvents?: true;
  readonly shapes: readonly SeriesShape[];
  readonly ranges: readonly (Window & {
    readonly step: number;
    /** Places of the shapes in `shapes`. */
    readonly shapes: readonly number[];
  })[];
};

/**
 * The steps of one shape in one range that have calls. `cells` has for each the number of the step (its time divided by
 * the step), the place of its group in `groups` ('' for calls without a value) and the shape's sums, in a row.
 * `times` has for each cell and each of the shape's times pairs of a bin of `lib/sketch.ts` and its count, in whole
 * microseconds.
 */
export type SeriesPart = {
  readonly range: number;
  readonly shape: number;
  readonly groups: readonly string[];
  readonly cells: readonly number[];
  readonly times: readonly (readonly number[])[];
};
