import { isPercentile, sumsFor } from '../../../measures.ts';
import { type MetricsQueries, type MetricsQuery, type MetricsRow, OTHER } from '../../../metrics.ts';
import { withCosts } from '../../shared/metrics/cost-series.ts';
import { divisionOf } from '../../shared/metrics/division-of.ts';
import {
  byRank,
  compareKeys,
  emptySums,
  type Group,
  groupId,
  leadingGroups,
  mergeGroups,
  topGroups,
  toRow,
} from '../../shared/metrics/groups.ts';
import type { Engine } from '../engine/engine.ts';
import type { Calls } from './calls.ts';
import { quantilesOf, timesOf } from './percentiles.ts';
import { readGroups, readTimes } from './read-calls.ts';

/** Answers each query by itself. The rows stand in the order of time and values, or by cost if only the first are wanted. */
export async function answerMetrics(
  engine: Engine,
  projects: readonly number[],
  queries: MetricsQueries,
): Promise<Record<string, MetricsRow[]>> {
  const answers = await Promise.all(
    Object.entries(queries).map(
      async ([name, query]) => [name, await answerQuery(engine, projects, query)] as const,
    ),
  );
  return Object.fromEntries(answers);
}

async function answerQuery(
  engine: Engine,
  projects: readonly number[],
  query: MetricsQuery,
): Promise<MetricsRow[]> {
  const {
    measures,
    groupBy: dimensions = [],
    filters = {},
    window,
    bucket,
    costsBy,
    top,
    topBy,
    timeZone,
  } = query;
  const division = divisionOf(bucket ?? costsBy, window, { timeZone });
  const calls: Calls = { filters, window, dimensions, division };
  const sums = [
    ...new Set([
      ...sumsFor(measures),
      ...((costsBy ?? top) === undefined ? [] : sumsFor(['cost', topBy ?? 'cost'])),
      ...(query.leadersOf === undefined ? [] : sumsFor(['requests'])),
    ]),
  ];
  const shape = { dimensions, division: bucket === undefined ? null : division };
  const [fine, quantiles] = await Promise.all([
    readGroups(engine, projects, calls, sums),
    readQuantiles(engine, projects, query, { ...calls, division: shape.division }),
  ]);
  const offset = division === null ? 0 : 1;
  const places = dimensions.map((_, place) => place + offset);
  const merged = [...mergeGroups(fine.values(), bucket === undefined ? places : [0, ...places]).values()];
  const found =
    merged.length === 0 && shape.division === null && dimensions.length === 0
      ? [{ key: [], sums: emptySums() }]
      : merged;
  if (query.leadersOf !== undefined)
    return leadingGroups(found, dimensions, query.leadersOf).map((group) => toRow(shape, query, group));
  const series =
    costsBy === undefined || division === null
      ? found
      : withCosts(found, fine.values(), { places, window, division });
  return ordered(query, series).map((group) => toRow(shape, query, group, quantiles(groupId(group.key))));
}

async function readQuantiles(
  engine: Engine,
  projects: readonly number[],
  { measures }: MetricsQuery,
  calls: Calls,
) {
  if (!measures.some(isPercentile)) return () => ({});
  const times = await Promise.all(
    timesOf(measures).map(async (time) => [time, await readTimes(engine, projects, calls, time)] as const),
  );
  return quantilesOf(new Map(times), measures);
}

/** Keys, tags and users, of which there may be many, come by cost. */
function ordered({ groupBy = [], bucket, top, topBy }: MetricsQuery, groups: readonly Group[]): Group[] {
  const [dimension, ...more] = groupBy;
  const isMany = dimension === 'userId' || dimension === 'keyId' || dimension?.startsWith('tag:') === true;
  const isRanked = top !== undefined || (isMany && more.length === 0 && bucket === undefined);
  if (!isRanked) return groups.toSorted((a, b) => compareKeys(a.key, b.key));
  const marked = groups.map((group) =>
    dimension?.startsWith('tag:') && group.key[0] === OTHER ? { ...group, others: null } : group,
  );
  return topGroups(marked.sort(byRank(topBy)), top ?? Number.POSITIVE_INFINITY);
}
