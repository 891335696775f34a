import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import type { Division } from '../../../../../lib/time-buckets.ts';
import { type CallTime, isPercentile, type Measure, sumsFor } from '../../../measures.ts';
import { BUCKET_MS, type Bucket, type Dimension, type TopBy } from '../../../metrics.ts';
import type { EventFilters, Window } from '../../../selection.ts';
import { areRolled, isEventDimension } from '../../shared/metrics/dimensions.ts';
import { divisionOf } from '../../shared/metrics/division-of.ts';
import { type LabelValues, labelValues } from '../labels/label-value.ts';
import { type Codes, codesOf, codesOfLabel, codesOfTime, constantCodes } from '../scan/codes.ts';
import { type Columns, type Selected, selectEvents } from '../scan/select-events.ts';
import { LABEL_SUMS } from '../sums/rollup-sums.ts';
import { isRolledUp } from '../sums/sum-filters.ts';
import { refuseLost } from './gaps.ts';
import { type PlanPart, splitByBucket } from './split-by-bucket.ts';
import { type Scan, scansOf, splitByDays, splitWindow } from './split-window.ts';

/** A query answered from sums or by scanning events. */
export type CallsQuery = {
  readonly measures: readonly Measure[];
  readonly groupBy?: readonly Dimension[];
  readonly filters?: EventFilters;
  readonly window: Window;
  readonly bucket?: Bucket;
  readonly costsBy?: Bucket;
  readonly timeZone?: string;
  readonly behind?: number;
  readonly nulls?: true;
  readonly top?: number;
  readonly topBy?: TopBy;
  readonly leadersOf?: readonly Dimension[];
  readonly histogram?: CallTime;
};

/** A prepared query, shared by sums and percentiles. */
export type Plan = {
  /** Null without buckets. */
  readonly division: Division | null;
  readonly dimensions: readonly Dimension[];
  /** The value of a label by its number, for each dimension of labels. */
  readonly labels: ReadonlyMap<Dimension, LabelValues>;
  readonly filters: EventFilters;
  readonly window: Window;
  /** The user whose sums by day the parts are of; null for the roll-ups. */
  readonly userId: string | null;
  readonly parts: readonly PlanPart[];
};

export function planQuery(reader: Reader, query: CallsQuery): Plan {
  const { window, filters = {}, groupBy: dimensions = [], bucket, timeZone, behind } = query;
  const division = divisionOf(bucket, window, { timeZone, behind });
  const userId = isInUserDays(query) ? (filters.userId ?? null) : null;
  const labels = new Map(
    dimensions.flatMap((name) => (isEventDimension(name) ? [] : [[name, labelValues(reader, name)]])),
  );
  const parts = reader.projects.flatMap((project): PlanPart[] => {
    if (userId !== null) return [{ project, parts: splitByDays(reader, project, window), bucket: null }];
    const coarsest = isInRollups(query) ? coarsestOf(division) : 1;
    if (division === null || division.fixed !== null || coarsest === 1)
      return [{ project, parts: splitWindow(reader, project, window, coarsest), bucket: null }];
    return splitByBucket(reader, project, window, division);
  });
  return { division, dimensions, labels, filters, window, userId, parts };
}

/** The longest time that an entry of sums may cover, so that it lies in one bucket; 1 without such entries. */
function coarsestOf(division: Division | null): number {
  if (division === null || division.fixed === null) return DAY_MS;
  const { ms, shift } = division.fixed;
  return [DAY_MS, HOUR_MS].find((unit) => ms % unit === 0 && shift % unit === 0) ?? 1;
}

/** Whether a query has buckets that no sums can be divided into, such as minutes. */
export const isDividedFinely = ({ bucket, costsBy, window, timeZone, behind }: CallsQuery): boolean => {
  const division = divisionOf(bucket ?? costsBy, window, { timeZone, behind });
  return division !== null && division.fixed !== null && coarsestOf(division) === 1;
};

/** Whether the sums of a user support a query: some measures of one user's calls, in total and by day. */
export const isInUserDays = ({
  measures,
  filters = {},
  groupBy = [],
  bucket = 'day',
  costsBy = 'day',
  timeZone = 'UTC',
  histogram,
}: CallsQuery): boolean =>
  histogram === undefined &&
  filters.userId !== undefined &&
  Object.entries(filters).every(([name, value]) => name === 'userId' || value === undefined) &&
  groupBy.length === 0 &&
  [bucket, costsBy].every(isUtcDay(timeZone)) &&
  areInLabelSums(measures);

/** Whether a bucket is a UTC day. */
export const isUtcDay =
  (timeZone = 'UTC') =>
  (bucket: Bucket): boolean =>
    BUCKET_MS[bucket] === DAY_MS && timeZone === 'UTC';

/** Whether measures are computed from the sums that labels and users have. */
export const areInLabelSums = (measures: readonly Measure[]): boolean =>
  !measures.some(isPercentile) && sumsFor(measures).every((sum) => LABEL_SUMS.some((known) => known === sum));

/** Whether the sums support a query; otherwise all events of the window are scanned. */
export const isInRollups = ({ filters = {}, groupBy = [] }: CallsQuery): boolean =>
  isRolledUp(filters) && areRolled(groupBy);

/** Matching calls of a chunk with the codes of the keys by which a plan groups them. */
export type Matches = { readonly selected: Selected; readonly keys: readonly Codes[] };

/**
 * The calls to scan for a part of a plan.
 * @param guardrails also the events of guardrails
 * @throws AppError 400 if some of them are lost
 */
export function* scanParts(
  reader: Reader,
  plan: Plan,
  { project, parts, bucket }: PlanPart,
  guardrails = false,
): Generator<Matches & Pick<Scan, 'sign'>> {
  const selection = { filters: plan.filters, calls: true, guardrails };
  for (const { window } of parts.ends) refuseLost(reader, project, window);
  for (const { ref, window, sign } of scansOf(reader, project, parts)) {
    const selected = selectEvents(ref.open(), selection, window);
    if (selected !== null) yield { selected, sign, keys: keysOf(plan, selected.columns, bucket) };
  }
}

function keysOf({ division, dimensions, labels }: Plan, columns: Columns, bucket: number | null): Codes[] {
  const time = bucket === null ? division && codesOfTime(columns, division) : constantCodes(columns, bucket);
  return [
    ...(time === null ? [] : [time]),
    ...dimensions.map((dimension) =>
      isEventDimension(dimension)
        ? codesOf(columns, dimension)
        : codesOfLabel(columns, (label) => labels.get(dimension)?.get(label) ?? null),
    ),
  ];
}
