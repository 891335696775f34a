import type { Reader } from '../../../../../db/reader.ts';
import { isPercentile, sumsFor } from '../../../measures.ts';
import type { Dimension, MetricsRow, TopBy } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';
import { withCosts } from '../../shared/metrics/cost-series.ts';
import { MAX_GROUPS_OF_TIMES, refuseTooManyGroups, total } from '../../shared/metrics/group-limits.ts';
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
import { hasGap } from './gaps.ts';
import { type CallsQuery, isDividedFinely, isInRollups, type Plan, planQuery } from './metrics-plan.ts';
import { readPercentiles } from './percentiles.ts';
import { readGroups } from './read-groups.ts';

/** One of several queries over the same calls. */
export type CallsPart = Omit<CallsQuery, 'filters' | 'window' | 'timeZone'>;

/**
 * Answers one query. Whole days and hours of sealed events come from the roll-ups, those of one user from the user sums,
 * the ends of a window and unsealed events from a scan; other dimensions that roll-ups do not have (users, sessions)
 * come from a scan alone. Only calls count, each once. Buckets without calls are left out; without buckets and dimensions
 * there is always one row. Rows are ordered by time, then by dimension values.
 */
export function queryMetrics<const Q extends CallsQuery>(reader: Reader, query: Q): MetricsRow<Q>[] {
  const plan = planQuery(reader, query);
  const groups = readGroups(reader, plan, sumsFor(query.measures));
  const hasPercentiles = query.measures.some(isPercentile);
  if (hasPercentiles) refuseTooManyGroups(groups, MAX_GROUPS_OF_TIMES);
  const quantiles = hasPercentiles
    ? readPercentiles(reader, plan, query.measures, (time) => total(groups, `${time}_count`))
    : () => ({});
  const rows: unknown[] = inOrder(plan, [...groups.values()]).map((group) =>
    toRow(plan, query, group, quantiles(groupId(group.key))),
  );
  return rows as MetricsRow<Q>[];
}

/**
 * Answers several queries over the same calls in one pass, because scanning the ends of a window is the expensive
 * part. Percentiles are not sums and are read separately.
 * @param parts queries by name; all buckets have the same length
 */
export function queryTogether<const Q extends Readonly<Record<string, CallsPart>>>(
  reader: Reader,
  about: Pick<CallsQuery, 'filters' | 'window' | 'timeZone'>,
  parts: Q,
): { readonly [K in keyof Q]: MetricsRow<Q[K] & { readonly window: Window }>[] } {
  const asked: CallsPart[] = Object.values(parts);
  const [bucket] = asked.flatMap((one) => one.bucket ?? one.costsBy ?? []);
  const measures = [...new Set(asked.flatMap((one) => one.measures))];
  const whole: CallsQuery = {
    measures,
    groupBy: [...new Set(asked.flatMap((one) => one.groupBy ?? []))],
    window: about.window,
    ...(about.filters === undefined ? {} : { filters: about.filters }),
    ...(about.timeZone === undefined ? {} : { timeZone: about.timeZone }),
  };
  const query = bucket === undefined ? whole : { ...whole, bucket };
  const sums = sumsFor([...new Set([...measures, ...asked.flatMap(rankMeasures)])]);
  const read = (one: CallsQuery): Read => {
    const plan = planQuery(reader, one);
    return { plan, groups: readGroups(reader, plan, sums) };
  };
  const found = read(query);
  // Where single calls are gone, minutes have none of them, but sums of hours do.
  const totals =
    isInRollups(query) && isDividedFinely(query) && hasGap(reader, about.window) ? read(whole) : found;
  const answers = Object.entries(parts).map(([name, part]) => [name, answerPart(found, totals, part)]);
  return Object.fromEntries(answers);
}

type Read = { readonly plan: Plan; readonly groups: ReadonlyMap<string, Group> };

const rankMeasures = ({ costsBy, top, topBy = 'cost', leadersOf }: CallsPart): TopBy[] => [
  ...((costsBy ?? top) === undefined ? [] : (['cost', topBy] as const)),
  ...(leadersOf === undefined ? [] : (['requests'] as const)),
];

/** @param totals where the figures without buckets come from */
function answerPart(found: Read, totals: Read, part: CallsPart): MetricsRow[] {
  const dimensions = part.groupBy ?? [];
  const isByTime = part.bucket !== undefined;
  const { plan, groups } = isByTime ? found : totals;
  const places = placesOf(plan, dimensions);
  const all = isByTime ? [0, ...places] : places;
  // Where no other query shares the pass, its groups are those that are asked for.
  const offset = plan.division === null ? 0 : 1;
  const areOwn = all.length === plan.dimensions.length + offset && all.every((place, i) => place === i);
  const merged = areOwn ? groups : mergeGroups(groups.values(), all);
  if (part.leadersOf !== undefined)
    return leadingGroups(merged.values(), dimensions, part.leadersOf).map((group) =>
      toRow({ dimensions, division: null }, part, group),
    );
  const { division } = found.plan;
  const shape = { dimensions, division: isByTime ? division : null };
  const rows = part.top === undefined ? inOrder(shape, [...merged.values()]) : [...merged.values()];
  const series =
    part.costsBy === undefined || division === null
      ? rows
      : withCosts(rows, found.groups.values(), {
          places: placesOf(found.plan, dimensions),
          window: found.plan.window,
          division,
        });
  const ordered = part.top === undefined ? series : topGroups(series.sort(byRank(part.topBy)), part.top);
  return ordered.map((group) => toRow(shape, part, group));
}

/** Where the keys of a plan's groups have some dimensions. */
const placesOf = (plan: Plan, dimensions: readonly Dimension[]): number[] =>
  dimensions.map((name) => plan.dimensions.indexOf(name) + (plan.division === null ? 0 : 1));

/** Groups by time and dimensions. Without either there is always one group, even without calls. */
function inOrder(
  { division, dimensions }: Pick<Plan, 'division' | 'dimensions'>,
  groups: readonly Group[],
): Group[] {
  if (groups.length === 0 && division === null && dimensions.length === 0)
    return [{ key: [], sums: emptySums() }];
  return groups.toSorted((a, b) => compareKeys(a.key, b.key));
}
