import type { SqlValue } from '../../../../../db/connection.ts';
import { type CallTime, isPercentile, type Measure, PERCENTILES } from '../../../measures.ts';
import { groupId, type Quantiles } from '../../shared/metrics/groups.ts';
import type { TimedCalls } from './read-calls.ts';

/** The times that some measures need. */
export const timesOf = (measures: readonly Measure[]): CallTime[] => [
  ...new Set(measures.filter(isPercentile).map((name) => PERCENTILES[name].time)),
];

export type Times = ReadonlyMap<CallTime, readonly TimedCalls[]>;

/**
 * Percentiles by nearest rank, exact to the microsecond, by the group's id.
 * @param targets the groups to which the calls of a key belong
 */
export function quantilesOf(
  times: Times,
  measures: readonly Measure[],
  targets: (key: readonly SqlValue[]) => readonly (readonly SqlValue[])[] = (key) => [key],
): (id: string) => Quantiles {
  const wanted = measures.filter(isPercentile);
  const ranks = new Map(timesOf(measures).map((time) => [time, ranksOf(times.get(time) ?? [], targets)]));
  return (id) =>
    Object.fromEntries(
      wanted.flatMap((name) => {
        const { time, q } = PERCENTILES[name];
        const found = ranks.get(time)?.(id, q) ?? null;
        return found === null ? [] : [[name, found / 1000]];
      }),
    );
}

function ranksOf(
  timed: readonly TimedCalls[],
  targets: (key: readonly SqlValue[]) => readonly (readonly SqlValue[])[],
): (id: string, q: number) => number | null {
  const groups = new Map<string, { readonly values: TimedCalls[]; calls: number; isSorted: boolean }>();
  for (const one of timed)
    for (const key of targets(one.key)) {
      const id = groupId(key);
      const group = groups.get(id) ?? { values: [], calls: 0, isSorted: false };
      groups.set(id, group);
      group.values.push(one);
      group.calls += one.calls;
    }
  return (id, q) => {
    const group = groups.get(id);
    if (group === undefined) return null;
    if (!group.isSorted) group.values.sort((a, b) => a.micros - b.micros);
    group.isSorted = true;
    let rest = Math.max(1, Math.ceil(q * group.calls));
    for (const { micros, calls } of group.values) {
      rest -= calls;
      if (rest <= 0) return micros;
    }
    return null;
  };
}
