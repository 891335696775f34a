import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { isPercentile, type Sum, sumsFor } from '../../../measures.ts';
import type { MetricsRow } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';
import { S } from '../scan/call-sums.ts';
import { sumGroups } from '../scan/sum-groups.ts';
import { readUserDays } from '../users/read-user-days.ts';
import { USER_COLUMNS } from '../users/user-page.ts';
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
import { type CallsQuery, type Plan, planQuery, scanParts } from './metrics-plan.ts';
import { readPercentiles } from './percentiles.ts';
import { fromRollup, groupBySql, rollupKeys, rollupSum } from './rollup-sql.ts';
import type { PlanPart } from './split-by-bucket.ts';
import type { SumsPart } from './split-window.ts';

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
  const plan = planQuery(reader, {
    measures,
    groupBy: [...new Set(asked.flatMap((one) => one.groupBy ?? []))],
    window: about.window,
    ...(about.filters === undefined ? {} : { filters: about.filters }),
    ...(about.timeZone === undefined ? {} : { timeZone: about.timeZone }),
    ...(bucket === undefined ? {} : { bucket }),
  });
  const sums = sumsFor([...measures, ...(asked.some(isByCost) ? (['cost'] as const) : [])]);
  const groups = readGroups(reader, plan, sums);
  const answers = Object.entries(parts).map(([name, part]) => [name, answerPart(plan, groups, part)]);
  return Object.fromEntries(answers);
}

/** Maximum number of groups in memory; with percentiles, each of which may have a histogram of 6 kB. */
const MAX_GROUPS = 200_000;
const MAX_GROUPS_OF_TIMES = 20_000;

function refuseTooManyGroups(groups: ReadonlyMap<string, Group>, most: number): void {
  if (groups.size <= most) return;
  throw badRequest(
    `groupBy: there are more than ${most.toLocaleString('en-US')} groups in this window; filter, choose fewer or coarser dimensions, a shorter window or a longer bucket`,
  );
}

const isByCost = ({ costsBy, top }: CallsPart): boolean => (costsBy ?? top) !== undefined;

function answerPart(plan: Plan, groups: ReadonlyMap<string, Group>, part: CallsPart): MetricsRow[] {
  const dimensions = part.groupBy ?? [];
  const offset = plan.division === null ? 0 : 1;
  const places = dimensions.map((name) => plan.dimensions.indexOf(name) + offset);
  const merged = mergeGroups(groups.values(), part.bucket === undefined ? places : [0, ...places]);
  const shape = { dimensions, division: part.bucket === undefined ? null : plan.division };
  const found = inOrder(shape, [...merged.values()]);
  const series =
    part.costsBy === undefined || plan.division === null
      ? found
      : withCosts(found, groups.values(), { places, window: plan.window, division: plan.division });
  const ordered = part.top === undefined ? series : topGroups(series.sort(byCost), part.top);
  return ordered.map((group) => toRow(shape, part, group));
}

function readGroups(reader: Reader, plan: Plan, sums: readonly Sum[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const planned of plan.parts) {
    const { project, parts, bucket } = planned;
    refuseTooManyGroups(groups, MAX_GROUPS);
    for (const part of parts.sums) addSummed(groups, reader, plan, { project, part, bucket, sums });
    for (const { selected, keys, sign } of scanParts(reader, plan, planned)) {
      for (const { key, sums: found } of sumGroups(selected, keys, sums)) {
        const own = groupOf(groups, key);
        for (const name of sums) own[name] += sign * (found[S[name]] as number);
      }
      refuseTooManyGroups(groups, MAX_GROUPS);
    }
  }
  for (const [id, group] of groups) if (group.sums.requests === 0) groups.delete(id);
  return groups;
}

type Place = Pick<PlanPart, 'project' | 'bucket'> & {
  readonly part: SumsPart;
  readonly sums: readonly Sum[];
};

function addSummed(groups: Map<string, Group>, reader: Reader, plan: Plan, place: Place): void {
  if (plan.userId === null) addRollup(groups, reader, plan, place);
  else addUserDays(groups, reader, plan, { ...place, userId: plan.userId });
}

/** The sums of one user. The days are those of the part, which is by day. */
function addUserDays(
  groups: Map<string, Group>,
  reader: Reader,
  { division }: Plan,
  { project, part, sums, userId }: Place & { readonly userId: string },
): void {
  for (const [day, found] of readUserDays(reader, project, userId, part)) {
    const own = groupOf(groups, division === null ? [] : [day]);
    for (const name of sums) own[name] += found[userColumn(name)] as number;
  }
}

const userColumn = (name: Sum): number => (USER_COLUMNS as readonly string[]).indexOf(name);

function addRollup(
  groups: Map<string, Group>,
  reader: Reader,
  plan: Plan,
  { project, part, bucket, sums }: Place,
): void {
  const keys = rollupKeys(plan, part, bucket);
  const from = fromRollup(plan, project, part);
  const rows = reader.rows(
    `SELECT ${[...keys, ...sums.map(rollupSum)].join(', ')} ${from.sql} ${groupBySql(keys)}`,
    from.args,
  );
  for (const row of rows) {
    const own = groupOf(groups, row.slice(0, keys.length));
    for (const [i, name] of sums.entries()) own[name] += Number(row[keys.length + i]);
  }
}

function groupOf(groups: Map<string, Group>, key: readonly SqlValue[]): Group['sums'] {
  const id = groupId(key);
  const group = groups.get(id) ?? { key, sums: emptySums() };
  groups.set(id, group);
  return group.sums;
}

/** Groups by time and dimensions. Without either there is always one group, even without calls. */
function inOrder(
  { division, dimensions }: Pick<Plan, 'division' | 'dimensions'>,
  groups: readonly Group[],
): Group[] {
  if (groups.length === 0 && division === null && dimensions.length === 0)
    return [{ key: [], sums: emptySums() }];
  return groups.toSorted((a, b) => compareKeys(a.key, b.key));
}

const total = (groups: ReadonlyMap<string, Group>, sum: Sum): number =>
  groups.values().reduce((all, group) => all + group.sums[sum], 0);
