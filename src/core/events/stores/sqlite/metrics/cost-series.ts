import type { Window } from '../../../selection.ts';
import { type Group, groupId } from './groups.ts';

/** The bucket numbers of a window, half-open. */
export const bucketsOf = ({ from, to }: Window, ms: number): { first: number; end: number } => {
  const first = Math.floor(from / ms);
  return { first, end: Math.max(first, Math.ceil(to / ms)) };
};

/** Whether the window's last instant, which is inclusive, starts a new bucket. */
export const endsOnBucket = ({ from, to }: Window, ms: number): boolean =>
  (to - 1) % ms === 0 && to - 1 > from;

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
    ms,
  }: { readonly places: readonly number[]; readonly window: Window; readonly ms: number },
): Group[] {
  const all = [...fine];
  const { first, end: last } = bucketsOf(window, ms);
  const isEmpty = endsOnBucket(window, ms) && all.every(({ key }) => Number(key[0]) !== last - 1);
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
