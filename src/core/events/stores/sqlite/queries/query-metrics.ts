import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import { DIMENSIONS, type Dimension, dimensionValue } from '../rollups/dimensions.ts';
import {
  isPercentile,
  type Measure,
  SUM_MEASURES,
  SUMS,
  type Sum,
  type SumMeasure,
  type Sums,
  sumsFor,
} from '../rollups/measures.ts';
import { type Quantiles, readPercentiles } from '../rollups/percentiles.ts';
import { splitWindow } from '../rollups/split-window.ts';
import { type EventFilters, isRolledUp, type Window, whereOf } from '../rows/event-filters.ts';
import { sessionTimes } from '../sessions/session-times.ts';
import { fromPart, groupBySql, groupId, keySql, type Plan } from './metrics-plan.ts';

/** Length of a bucket in milliseconds. Buckets are UTC hours and days. */
export const BUCKET_MS = { hour: HOUR_MS, day: DAY_MS } as const;
export type Bucket = keyof typeof BUCKET_MS;

/** What to tell of the calls of a window. */
export type MetricsQuery<M extends Measure, D extends Dimension> = {
  readonly measures: readonly M[];
  readonly groupBy?: readonly D[];
  readonly filters?: EventFilters;
  readonly window: Window;
  /** Splits time too. */
  readonly bucket?: Bucket;
};

/**
 * The figures of one group: each measure by its name, each dimension as its value (null: the events have
 * none). `time` is the start of the bucket in epoch milliseconds, null where time was not split.
 */
export type MetricsRow<M extends Measure, D extends Dimension> = { readonly time: number | null } & Readonly<
  Record<M, number>
> &
  Readonly<Record<D, string | null>>;

type Group = { readonly key: readonly SqlValue[]; readonly sums: Record<Sum, number> };

/**
 * The only way to a number. Whole days and hours come from the roll-ups, the edges of a window from the
 * rows, and what the roll-ups do not know (users, sessions) from the rows alone: all are the same sums.
 * Only calls count, each once. Buckets without calls are left out; without buckets and dimensions there
 * is always one row. Rows are ordered by time, then by the dimensions' values.
 */
export function queryMetrics<M extends Measure, D extends Dimension = never>(
  reader: Reader,
  query: MetricsQuery<M, D>,
): MetricsRow<M, D>[] {
  const plan = planQuery(reader, query);
  const groups = readGroups(reader, plan, sumsFor(query.measures));
  const quantiles = query.measures.some(isPercentile)
    ? readPercentiles(reader, plan, total(groups, 'latency_count'))
    : () => null;
  return toRows(plan, query.measures, groups, quantiles);
}

/** What `queryTogether` is asked for under one name. Percentiles are not sums and are asked for alone. */
export type PartQuery = {
  readonly measures: readonly SumMeasure[];
  readonly groupBy?: readonly Dimension[];
  readonly bucket?: Bucket;
};

/** The rows that `queryTogether` gives for a part of its question. */
export type PartRows<Q> = Q extends { readonly measures: readonly (infer M extends SumMeasure)[] }
  ? MetricsRow<M, Q extends { readonly groupBy: readonly (infer D extends Dimension)[] } ? D : never>[]
  : never;

/**
 * Several questions about the same calls, answered by one pass over them: the rows at the edges of a
 * window are what costs, and they are read once. Each answer is what `queryMetrics` would give.
 * @param queries by a name of the caller's; buckets, where asked for, are all of one length
 */
export function queryTogether<const Q extends Readonly<Record<string, PartQuery>>>(
  reader: Reader,
  { filters, window }: { readonly filters: EventFilters; readonly window: Window },
  queries: Q,
): { readonly [K in keyof Q]: PartRows<Q[K]> } {
  const asked = Object.values(queries);
  const [bucket] = asked.flatMap((one) => one.bucket ?? []);
  const plan = planQuery(reader, {
    measures: [...new Set(asked.flatMap((one) => one.measures))],
    groupBy: [...new Set(asked.flatMap((one) => one.groupBy ?? []))],
    filters,
    window,
    ...(bucket === undefined ? {} : { bucket }),
  });
  const groups = readGroups(reader, plan, sumsFor(asked.flatMap((one) => one.measures)));
  const answers = Object.entries(queries).map(([name, part]) => [name, answerPart(plan, groups, part)]);
  return Object.fromEntries(answers);
}

function answerPart(plan: Plan, groups: ReadonlyMap<string, Group>, part: PartQuery): unknown[] {
  const dimensions = part.groupBy ?? [];
  const offset = plan.bucketMs === null ? 0 : 1;
  const places = dimensions.map((name) => plan.dimensions.indexOf(name) + offset);
  const wanted = part.bucket === undefined ? places : [0, ...places];
  const merged = mergeGroups(groups.values(), wanted);
  const own = { ...plan, dimensions, bucketMs: part.bucket === undefined ? null : plan.bucketMs };
  return toRows(own, part.measures, merged, () => null);
}

/** Groups made coarser: by the values at some places of their keys. */
function mergeGroups(groups: Iterable<Group>, places: readonly number[]): Map<string, Group> {
  const merged = new Map<string, Group>();
  for (const { key, sums } of groups) {
    const coarse = places.map((place) => key[place] ?? null);
    const id = groupId(coarse);
    const group = merged.get(id) ?? { key: coarse, sums: emptySums() };
    merged.set(id, group);
    for (const name of SUM_NAMES) group.sums[name] += sums[name];
  }
  return merged;
}

/** `queryMetrics` for the numbers of a whole window: the one row that has no group. */
export function queryTotals<M extends Measure>(
  reader: Reader,
  query: Omit<MetricsQuery<M, never>, 'groupBy' | 'bucket'>,
): MetricsRow<M, never> {
  const [row] = queryMetrics(reader, query);
  if (row === undefined) throw new Error('a query without groups gave no row');
  return row;
}

function planQuery(reader: Reader, query: MetricsQuery<Measure, Dimension>): Plan {
  const { window, filters = {}, groupBy: dimensions = [], bucket } = query;
  const bucketMs = bucket === undefined ? null : BUCKET_MS[bucket];
  const rolledUp = isRolledUp(filters) && dimensions.every((name) => DIMENSIONS[name].rolledUp);
  const coarsest = rolledUp ? (bucketMs ?? DAY_MS) : 1;
  const parts = reader.projects.map((project) => ({
    project,
    parts: splitWindow(reader, project, window, coarsest),
  }));
  const byStatus = filters.status !== undefined;
  const { userId = null, sessionId } = filters;
  const times = sessionId === undefined ? null : timesOf(reader, sessionId, window);
  return {
    bucketMs,
    dimensions,
    where: whereOf({ filters, calls: true }),
    byStatus,
    userId,
    sessionTimes: times,
    window,
    parts,
  };
}

const timesOf = (reader: Reader, sessionId: string, window: Window): Map<number, string> =>
  new Map(
    reader.projects.map((project) => [
      project,
      JSON.stringify(sessionTimes(reader, project, [sessionId], window).get(sessionId)),
    ]),
  );

function readGroups(reader: Reader, plan: Plan, sums: readonly Sum[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { project, parts } of plan.parts) {
    for (const part of parts) {
      const keys = keySql(plan, part);
      const sumSql = sums.map((name) => SUMS[name][part.source.table === 'events' ? 'raw' : 'rollup']);
      const from = fromPart(plan, project, part);
      const rows = reader.rows(
        `SELECT ${[...keys, ...sumSql].join(', ')} ${from.sql} ${groupBySql(keys)}`,
        from.args,
      );
      for (const row of rows) addToGroup(groups, row, keys.length, { sums, sign: part.sign });
    }
  }
  for (const [id, group] of groups) if (group.sums.requests === 0) groups.delete(id);
  return groups;
}

function addToGroup(
  groups: Map<string, Group>,
  row: readonly SqlValue[],
  width: number,
  { sums, sign }: { sums: readonly Sum[]; sign: 1 | -1 },
): void {
  const key = row.slice(0, width);
  const id = groupId(key);
  const group = groups.get(id) ?? { key, sums: emptySums() };
  groups.set(id, group);
  for (const [i, name] of sums.entries()) group.sums[name] += sign * Number(row[width + i]);
}

/** Groups as rows in order. What is not split at all has one, calls or not. */
function toRows<M extends Measure, D extends Dimension>(
  plan: Plan,
  measures: readonly M[],
  groups: Map<string, Group>,
  quantiles: (id: string) => Quantiles | null,
): MetricsRow<M, D>[] {
  if (groups.size === 0 && plan.bucketMs === null && plan.dimensions.length === 0) {
    groups.set('', { key: [], sums: emptySums() });
  }
  return [...groups]
    .sort(([, a], [, b]) => compareKeys(a.key, b.key))
    .map(([id, group]) => toRow(plan, measures, group, quantiles(id)));
}

function toRow<M extends Measure, D extends Dimension>(
  { bucketMs, dimensions }: Plan,
  measures: readonly M[],
  { key, sums }: Group,
  quantiles: Quantiles | null,
): MetricsRow<M, D> {
  const values = bucketMs === null ? key : key.slice(1);
  const named = dimensions.map((name, i) => [name, dimensionValue(name, values[i] ?? null)]);
  const measured = measures.map((name) => [name, measure(name, sums, quantiles)]);
  const time = bucketMs === null ? null : Number(key[0]) * bucketMs;
  return { time, ...Object.fromEntries([...named, ...measured]) };
}

const measure = (name: Measure, sums: Sums, quantiles: Quantiles | null): number =>
  isPercentile(name) ? (quantiles?.[name] ?? 0) : SUM_MEASURES[name].of(sums);

const SUM_NAMES = Object.keys(SUMS) as Sum[];

const emptySums = (): Record<Sum, number> =>
  Object.fromEntries(SUM_NAMES.map((name) => [name, 0])) as Record<Sum, number>;

const total = (groups: ReadonlyMap<string, Group>, sum: Sum): number =>
  groups.values().reduce((all, group) => all + group.sums[sum], 0);

function compareKeys(a: readonly SqlValue[], b: readonly SqlValue[]): number {
  for (const [i, x] of a.entries()) {
    const y = b[i] ?? null;
    if (x === y || x === null || y === null) continue;
    return x < y ? -1 : 1;
  }
  return 0;
}
