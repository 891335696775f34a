import type { Division } from '../../../../../lib/time-buckets.ts';
import type { Window } from '../../../selection.ts';
import { type Group, groupId } from './groups.ts';

/** The bucket numbers of a window, half-open. */
function bucketsOf({ from, to }: Window, { numberOf }: Division): { first: number; end: number } {
  const first = numberOf(from);
  return { first, end: to <= from ? first : numberOf(to - 1) + 1 };
}

/** Whether the window's last instant, which is inclusive, starts a new bucket. */
export const endsOnBucket = ({ from, to }: Window, { numberOf, startOf }: Division): boolean =>
  to - 1 > from && startOf(numberOf(to - 1)) === to - 1;

/**
 * Merged groups with their cost per bucket of a window. If the window contains only the first instant of its last
 * bucket, that bucket is left out unless it has a call.
 * @param fine the same groups by bucket; the first key is the bucket's number
 */
export function withCosts(
  merged: Iterable<Group>,
  fine: Iterable<Group>,
  {
    places,
    window,
    division,
  }: { readonly places: readonly number[]; readonly window: Window; readonly division: Division },
): Group[] {
  const all = [...fine];
  const { first, end: last } = bucketsOf(window, division);
  const isEmpty = endsOnBucket(window, division) && all.every(({ key }) => Number(key[0]) !== last - 1);
  const count = last - first - (isEmpty ? 1 : 0);
  const series = new Map<string, Float64Array>();
  for (const { key, sums } of all) {
    const id = groupId(places.map((place) => key[place] ?? null));
    const costs = series.get(id) ?? new Float64Array(count);
    series.set(id, costs);
    const at = Number(key[0]) - first;
    costs[at] = (costs[at] ?? 0) + sums.cost_nano;
  }
  return [...merged].map((group) => ({
    ...group,
    costs: series.get(groupId(group.key)) ?? new Float64Array(count),
  }));
}
