import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { isPercentile, type Measure, type Sum, sumsFor } from '../../../measures.ts';
import { BUCKET_MS, type Bucket, type EventDimension, type MetricsRow } from '../../../metrics.ts';
import type { EventFilters, Window } from '../../../selection.ts';
import { DIMENSIONS } from '../rollups/dimensions.ts';
import { readPercentiles } from '../rollups/percentiles.ts';
import { splitWindow } from '../rollups/split-window.ts';
import { isRolledUp, whereOf } from '../rows/event-filters.ts';
import { rawSum, rollupSum } from '../rows/sums.ts';
import { sessionTimes } from '../sessions/session-times.ts';
import { withCosts } from './cost-series.ts';
import {
  byCost,
  compareKeys,
  emptySums,
  type Group,
  groupId,
  mergeGroups,
  topGroups,
  toRow,
} from './groups.ts';
import { fromPart, groupBySql, keySql, type Plan } from './metrics-plan.ts';

/** A query answered from roll-ups or rows. */
export type CallsQuery = {
  readonly measures: readonly Measure[];
  readonly groupBy?: readonly EventDimension[];
  readonly filters?: EventFilters;
  readonly window: Window;
  readonly bucket?: Bucket;
  readonly costsBy?: Bucket;
  readonly top?: number;
};

/** One of several queries over the same calls. */
export type CallsPart = Omit<CallsQuery, 'filters' | 'window'>;

/**
 * Answers one query. Whole days and hours come from the roll-ups, the edges of a window from rows; dimensions that
 * roll-ups do not have (users, sessions) come from rows alone. Only calls count, each once. Buckets without calls are
 * left out; without buckets and dimensions there is always one row. Rows are ordered by time, then by dimension
 * values.
 */
export function queryMetrics<const Q extends CallsQuery>(reader: Reader, query: Q): MetricsRow<Q>[] {
  const plan = planQuery(reader, query);
  const groups = readGroups(reader, plan, sumsFor(query.measures));
  const quantiles = query.measures.some(isPercentile)
    ? readPercentiles(reader, plan, total(groups, 'latency_count'))
    : () => null;
  const rows: unknown[] = inOrder(plan, [...groups.values()]).map((group) =>
    toRow(plan, query.measures, group, quantiles(groupId(group.key))),
  );
  return rows as MetricsRow<Q>[];
}

/**
 * Answers several queries over the same calls in one pass, because reading the rows at the edges of a window is the
 * expensive part. Percentiles are not sums and are read separately.
 * @param parts queries by name; all buckets have the same length
 */
export function queryTogether<const Q extends Readonly<Record<string, CallsPart>>>(
  reader: Reader,
  about: { readonly filters?: EventFilters; readonly window: Window },
  parts: Q,
): { readonly [K in keyof Q]: MetricsRow<Q[K] & { readonly window: Window }>[] } {
  const asked: CallsPart[] = Object.values(parts);
  const [bucket] = asked.flatMap((one) => one.bucket ?? one.costsBy ?? []);
  const measures = [...new Set(asked.flatMap((one) => one.measures))];
  const plan = planQuery(reader, {
    measures,
    groupBy: [...new Set(asked.flatMap((one) => one.groupBy ?? []))],
    window: about.window,
    ...(about.filters === undefined ? {} : { filters: about.filters }),
    ...(bucket === undefined ? {} : { bucket }),
  });
  const sums = sumsFor([...measures, ...(asked.some(isByCost) ? (['cost'] as const) : [])]);
  const groups = readGroups(reader, plan, sums);
  const answers = Object.entries(parts).map(([name, part]) => [name, answerPart(plan, groups, part)]);
  return Object.fromEntries(answers);
}

const isByCost = ({ costsBy, top }: CallsPart): boolean => (costsBy ?? top) !== undefined;

function answerPart(plan: Plan, groups: ReadonlyMap<string, Group>, part: CallsPart): MetricsRow[] {
  const dimensions = part.groupBy ?? [];
  const offset = plan.bucketMs === null ? 0 : 1;
  const places = dimensions.map((name) => plan.dimensions.indexOf(name) + offset);
  const merged = mergeGroups(groups.values(), part.bucket === undefined ? places : [0, ...places]);
  const shape = { dimensions, bucketMs: part.bucket === undefined ? null : plan.bucketMs };
  const series =
    part.costsBy === undefined
      ? [...merged.values()]
      : withCosts(merged.values(), groups.values(), {
          places,
          window: plan.window,
          ms: BUCKET_MS[part.costsBy],
        });
  const ordered = part.top === undefined ? inOrder(shape, series) : topGroups(series.sort(byCost), part.top);
  return ordered.map((group) => toRow(shape, part.measures, group));
}

/** Like `queryMetrics` without groups: returns the single row of the window. */
export function queryTotals<const Q extends Omit<CallsQuery, 'groupBy' | 'bucket'>>(
  reader: Reader,
  query: Q,
): MetricsRow<Q> {
  const [row] = queryMetrics(reader, query);
  if (row === undefined) throw new Error('a query without groups gave no row');
  return row;
}

function planQuery(reader: Reader, query: CallsQuery): Plan {
  const { window, filters = {}, groupBy: dimensions = [], bucket } = query;
  const bucketMs = bucket === undefined ? null : BUCKET_MS[bucket];
  const coarsest = isInRollups(query) ? (bucketMs ?? DAY_MS) : 1;
  const parts = reader.projects.map((project) => ({
    project,
    parts: splitWindow(reader, project, window, coarsest),
  }));
  const { userId = null, sessionId } = filters;
  return {
    bucketMs,
    dimensions,
    where: whereOf({ filters, calls: true }),
    byStatus: filters.status !== undefined,
    userId,
    sessionTimes: sessionId === undefined ? null : timesOf(reader, sessionId, window),
    window,
    parts,
  };
}

/** Whether the roll-ups support a query; otherwise rows are read. */
export const isInRollups = ({ filters = {}, groupBy = [] }: CallsQuery): boolean =>
  isRolledUp(filters) && groupBy.every((name) => DIMENSIONS[name].rolledUp);

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
      const sumSql = sums.map(part.source.table === 'events' ? rawSum : rollupSum);
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

/** Groups by time and dimensions. Without either there is always one group, even without calls. */
function inOrder(
  { bucketMs, dimensions }: Pick<Plan, 'bucketMs' | 'dimensions'>,
  groups: readonly Group[],
): Group[] {
  if (groups.length === 0 && bucketMs === null && dimensions.length === 0)
    return [{ key: [], sums: emptySums() }];
  return groups.toSorted((a, b) => compareKeys(a.key, b.key));
}

const total = (groups: ReadonlyMap<string, Group>, sum: Sum): number =>
  groups.values().reduce((all, group) => all + group.sums[sum], 0);
