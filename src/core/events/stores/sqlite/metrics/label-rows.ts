import { UTC_DAYS } from '../../../../../lib/time-buckets.ts';
import { type MetricsQuery, type MetricsRow, OTHER } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';
import { endsOnBucket } from '../../shared/metrics/cost-series.ts';
import { byCost, emptySums, type Group, topGroups, toRow } from '../../shared/metrics/groups.ts';
import type { LabelGroup, UserCosts } from '../labels/label-group.ts';

/** The rows of keys or of a tag's values, the most expensive first. */
export function fromLabels(query: MetricsQuery, found: readonly LabelGroup[]): MetricsRow[] {
  const groups = found.map((group): Group => {
    const own = toGroup(query, group);
    return group.value === OTHER ? { ...own, others: null } : own;
  });
  return toRows(query, topGroups(groups.sort(byCost), query.top ?? Number.POSITIVE_INFINITY));
}

/** The rows of users, most expensive first, including calls without a user, and the rest as one row. */
export function fromUsers(query: MetricsQuery, { users, others, nobody }: UserCosts): MetricsRow[] {
  const named = [...users, ...(nobody.sums.requests > 0 ? [nobody] : [])];
  const groups = named.map((group) => toGroup(query, group)).sort(byCost);
  const rest = { ...toGroup(query, others.group), key: [OTHER], others: others.users };
  return toRows(query, others.users > 0 ? [...groups, rest] : groups);
}

const toGroup = ({ costsBy }: MetricsQuery, { value, sums, costs }: LabelGroup): Group => ({
  key: [value],
  sums: { ...emptySums(), ...sums },
  ...(costsBy === undefined ? {} : { costs }),
});

function toRows(query: MetricsQuery, groups: readonly Group[]): MetricsRow[] {
  const shape = { dimensions: query.groupBy ?? [], division: null };
  return withoutEmptyEnd(query.window, groups).map((group) => toRow(shape, query, group));
}

/** If the window contains only a day's first instant, the day is left out unless it has a cost. */
function withoutEmptyEnd(window: Window, groups: readonly Group[]): readonly Group[] {
  if (
    !endsOnBucket(window, UTC_DAYS) ||
    groups.some(({ costs }) => costs !== undefined && costs.at(-1) !== 0)
  )
    return groups;
  return groups.map((group) =>
    group.costs === undefined ? group : { ...group, costs: group.costs.slice(0, -1) },
  );
}
