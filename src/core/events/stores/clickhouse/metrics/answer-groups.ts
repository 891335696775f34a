import { TIME_BINS, TIME_BOUNDS, timeBin } from '../../../../../lib/ranges/time-bins.ts';
import { type CallTime, isPercentile, type Measure, SUM_NAMES } from '../../../measures.ts';
import type { GroupsAnswer, GroupsQuery, Histogram } from '../../../metrics.ts';
import { divisionOf } from '../../shared/metrics/division-of.ts';
import { addSums, emptySums, type Group, groupId } from '../../shared/metrics/groups.ts';
import type { CallsPass, Target } from '../../shared/metrics/groups-source.ts';
import { queryGroups } from '../../shared/metrics/query-groups.ts';
import type { Engine } from '../engine/engine.ts';
import type { Calls } from './calls.ts';
import { quantilesOf, type Times, timesOf } from './percentiles.ts';
import { readGroups, readTimes } from './read-calls.ts';

/** Answers a query by groups: reads the sums and times that it needs, in total and by bucket, then ranks and merges. */
export async function answerGroups(
  engine: Engine,
  projects: readonly number[],
  query: GroupsQuery,
): Promise<GroupsAnswer> {
  const { filters, window, groupBy: dimensions, bucket, timeZone, behind } = query;
  const whole: Calls = { filters, window, dimensions, division: null };
  const times = timesNeeded(query);
  const read = async (calls: Calls): Promise<CallsPass> => {
    const [groups, timed] = await Promise.all([
      readGroups(
        engine,
        projects,
        calls,
        SUM_NAMES.filter((name) => !name.startsWith('guardrail') || needsGuardrails(query)),
      ),
      Promise.all(times.map(async (time) => [time, await readTimes(engine, projects, calls, time)] as const)),
    ]);
    return passOf(calls, groups, new Map(timed));
  };
  const division = divisionOf(bucket, window, { timeZone, behind });
  const [all, byBucket] = await Promise.all([
    read(whole),
    division === null ? null : read({ ...whole, division }),
  ]);
  return queryGroups({ whole: () => all, byBucket: () => byBucket ?? all }, query);
}

const measuresOf = ({ measures, keep }: GroupsQuery): Measure[] => [
  ...measures,
  ...('by' in keep ? [keep.by] : []),
];
const needsGuardrails = (query: GroupsQuery): boolean =>
  measuresOf(query).some((name) => name.startsWith('guardrail'));
const timesNeeded = (query: GroupsQuery): CallTime[] => [
  ...new Set([
    ...timesOf(measuresOf(query).filter(isPercentile)),
    ...(query.histogram === undefined ? [] : [query.histogram]),
  ]),
];

const passOf = ({ division }: Calls, groups: ReadonlyMap<string, Group>, times: Times): CallsPass => ({
  division,
  groups: (_sums, target) => (target === undefined ? new Map(groups) : mergedBy(groups, target)),
  quantiles: (measures, _countOf, targets) => quantilesOf(times, measures, targets),
  histogram: ({ time }, buckets) => histogramOf(times, time, division === null ? null : buckets),
});

function mergedBy(groups: ReadonlyMap<string, Group>, target: Target): Map<string, Group> {
  const merged = new Map<string, Group>();
  for (const { key, sums } of groups.values()) {
    const own = target(key);
    const id = groupId(own);
    const group = merged.get(id) ?? { key: own, sums: emptySums() };
    merged.set(id, group);
    addSums(group.sums, sums);
  }
  return merged;
}

/** @param buckets numbers of the buckets to tell apart; null without buckets */
function histogramOf(times: Times, time: CallTime, buckets: readonly number[] | null): Histogram {
  const all = new Float64Array(TIME_BINS);
  const byBucket = new Map<number, Float64Array>();
  for (const { key, micros, calls } of times.get(time) ?? []) {
    const bin = timeBin(micros / 1000);
    const counts = byBucket.get(Number(key[0])) ?? new Float64Array(TIME_BINS);
    byBucket.set(Number(key[0]), counts);
    all[bin] = (all[bin] ?? 0) + calls;
    counts[bin] = (counts[bin] ?? 0) + calls;
  }
  const first = all.findIndex((calls) => calls !== 0);
  const end = all.findLastIndex((calls) => calls !== 0) + 1;
  const shown = (counts: Float64Array): number[] => (first === -1 ? [] : [...counts.subarray(first, end)]);
  const none = new Float64Array(TIME_BINS);
  return {
    isExact: true,
    bounds: first === -1 ? [] : TIME_BOUNDS.slice(first, end + 1),
    counts: shown(all),
    ...(buckets === null ? {} : { series: buckets.map((bucket) => shown(byBucket.get(bucket) ?? none)) }),
  };
}
