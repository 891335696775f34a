import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { isPercentile, type Measure, sumsFor } from '../../../measures.ts';
import { BUCKET_MS, type Bucket, type Dimension } from '../../../metrics.ts';
import type { EventFilters, Window } from '../../../selection.ts';
import { type LabelValues, labelValues } from '../labels/label-value.ts';
import { type Codes, codesOf, codesOfLabel, codesOfTime } from '../scan/codes.ts';
import { type Columns, type Selected, selectEvents } from '../scan/select-events.ts';
import { LABEL_SUMS } from '../sums/rollup-sums.ts';
import { isRolledUp } from '../sums/sum-filters.ts';
import { areRolled, isEventDimension } from './dimensions.ts';
import { refuseLost } from './gaps.ts';
import { type Parts, type Scan, scansOf, splitByDays, splitWindow } from './split-window.ts';

/** A query answered from sums or by scanning events. */
export type CallsQuery = {
  readonly measures: readonly Measure[];
  readonly groupBy?: readonly Dimension[];
  readonly filters?: EventFilters;
  readonly window: Window;
  readonly bucket?: Bucket;
  readonly costsBy?: Bucket;
  readonly top?: number;
};

/** A prepared query, shared by sums and percentiles. */
export type Plan = {
  readonly bucketMs: number | null;
  readonly dimensions: readonly Dimension[];
  /** The value of a label by its number, for each dimension of labels. */
  readonly labels: ReadonlyMap<Dimension, LabelValues>;
  readonly filters: EventFilters;
  readonly window: Window;
  /** The user whose sums by day the parts are of; null for the roll-ups. */
  readonly userId: string | null;
  /** Parts per project of the scope. */
  readonly parts: readonly { readonly project: number; readonly parts: Parts }[];
};

export function planQuery(reader: Reader, query: CallsQuery): Plan {
  const { window, filters = {}, groupBy: dimensions = [], bucket } = query;
  const bucketMs = bucket === undefined ? null : BUCKET_MS[bucket];
  const coarsest = isInRollups(query) ? (bucketMs ?? DAY_MS) : 1;
  const userId = isInUserDays(query) ? (filters.userId ?? null) : null;
  const parts = reader.projects.map((project) => ({
    project,
    parts:
      userId === null ? splitWindow(reader, project, window, coarsest) : splitByDays(reader, project, window),
  }));
  const labels = new Map(
    dimensions.flatMap((name) => (isEventDimension(name) ? [] : [[name, labelValues(reader, name)]])),
  );
  return { bucketMs, dimensions, labels, filters, window, userId, parts };
}

/** Whether the sums of a user support a query: some measures of one user's calls, in total and by day. */
export const isInUserDays = ({
  measures,
  filters = {},
  groupBy = [],
  bucket = 'day',
  costsBy = 'day',
}: CallsQuery): boolean =>
  filters.userId !== undefined &&
  Object.entries(filters).every(([name, value]) => name === 'userId' || value === undefined) &&
  groupBy.length === 0 &&
  bucket === 'day' &&
  costsBy === 'day' &&
  areInLabelSums(measures);

/** Whether measures are computed from the sums that labels and users have. */
export const areInLabelSums = (measures: readonly Measure[]): boolean =>
  !measures.some(isPercentile) && sumsFor(measures).every((sum) => LABEL_SUMS.some((known) => known === sum));

/** Whether the sums support a query; otherwise all events of the window are scanned. */
export const isInRollups = ({ filters = {}, groupBy = [] }: CallsQuery): boolean =>
  isRolledUp(filters) && areRolled(groupBy);

/** Matching calls of a chunk with the codes of the keys by which a plan groups them. */
export type Matches = { readonly selected: Selected; readonly keys: readonly Codes[] };

/** The calls to scan for parts of a plan. @throws AppError 400 if some of them are lost */
export function* scanParts(
  reader: Reader,
  plan: Plan,
  project: number,
  parts: Parts,
): Generator<Matches & Pick<Scan, 'sign'>> {
  const selection = { filters: plan.filters, calls: true };
  for (const { window } of parts.ends) refuseLost(reader, project, window);
  for (const { ref, window, sign } of scansOf(reader, project, parts)) {
    const selected = selectEvents(ref.open(), selection, window);
    if (selected !== null) yield { selected, sign, keys: keysOf(plan, selected.columns) };
  }
}

const keysOf = ({ bucketMs, dimensions, labels }: Plan, columns: Columns): Codes[] => [
  ...(bucketMs === null ? [] : [codesOfTime(columns, bucketMs)]),
  ...dimensions.map((dimension) =>
    isEventDimension(dimension)
      ? codesOf(columns, dimension)
      : codesOfLabel(columns, (label) => labels.get(dimension)?.get(label) ?? null),
  ),
];
