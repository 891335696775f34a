import { badRequest } from '../../../../../errors.ts';
import type { Division } from '../../../../../lib/time-buckets.ts';
import type { GroupFigures, GroupsAnswer } from '../../../metrics.ts';
import type { RunsQuery } from '../../../query/runs-query.ts';
import { divisionOf } from '../metrics/division-of.ts';
import { compareKeys, groupId } from '../metrics/groups.ts';
import { runValues } from './run-figures.ts';
import type { FoundRuns, Runs } from './runs.ts';

const MAX_GROUPS = 200_000;

/** Answers a query of runs by groups, as `answerGroups` does for calls. @throws AppError 400 */
export function answerRuns({ runs, keys }: FoundRuns, query: RunsQuery): GroupsAnswer {
  const { groupBy, measures, window, bucket, timeZone, behind } = query;
  if (keys.length > MAX_GROUPS)
    throw badRequest(
      'groupBy: there are too many groups of runs; choose fewer dimensions or a shorter window',
    );
  const all = Uint32Array.from({ length: runs.count() }, (_, run) => run);
  const byGroup = partition(all, keys.length, runs.group);
  const kept = groupBy.length === 0 ? [] : keptOf(query, keys, { runs, byGroup });
  const rest = new Set(byGroup.keys()).difference(new Set(kept.map(({ group }) => group)));
  const division = divisionOf(bucket, window, { timeZone, behind });
  const buckets = division === null ? [] : bucketsOf(division, query);
  const figures = (own: Uint32Array): GroupFigures => ({
    values: runValues(measures, runs, own),
    ...(division && { series: seriesOf(query, { runs, own }, { division, buckets }) }),
  });
  return {
    groups: kept.map(({ key, group }) => ({ key, ...figures(byGroup[group] ?? NO_RUNS) })),
    others:
      groupBy.length === 0 || rest.size === 0
        ? null
        : { groups: rest.size, ...figures(all.filter((run) => rest.has(runs.group(run)))) },
    total: figures(all),
    times:
      division === null || buckets.length === 0
        ? []
        : [...buckets, (buckets.at(-1) as number) + 1].map((number) => division.startOf(number)),
  };
}

const NO_RUNS = new Uint32Array();

/** Divides runs by a number below `parts` of each: views on one array. */
function partition(own: Uint32Array, parts: number, partOf: (run: number) => number): Uint32Array[] {
  const ends = new Uint32Array(parts + 1);
  for (const run of own) {
    const next = partOf(run) + 1;
    ends[next] = (ends[next] as number) + 1;
  }
  for (let part = 0; part < parts; part++)
    ends[part + 1] = (ends[part + 1] as number) + (ends[part] as number);
  const starts = ends.slice();
  const divided = new Uint32Array(own.length);
  for (const run of own) {
    const part = partOf(run);
    divided[starts[part] as number] = run;
    starts[part] = (starts[part] as number) + 1;
  }
  return Array.from({ length: parts }, (_, part) => divided.subarray(ends[part], ends[part + 1]));
}

type Kept = { readonly key: readonly (string | null)[]; readonly group: number };
type Grouped = { readonly runs: Runs; readonly byGroup: readonly Uint32Array[] };

function keptOf(
  { keep }: RunsQuery,
  keys: readonly (readonly (string | null)[])[],
  { runs, byGroup }: Grouped,
): Kept[] {
  if ('keys' in keep) {
    const places = new Map(keys.map((key, group) => [groupId(key), group]));
    return keep.keys.map((key) => ({ key, group: places.get(groupId(key)) ?? -1 }));
  }
  const sign = keep.direction === 'desc' ? -1 : 1;
  const ranked = keys.map((key, group) => ({
    key,
    group,
    value: runValues([keep.by], runs, byGroup[group] ?? NO_RUNS)[0] ?? null,
    runs: byGroup[group]?.length ?? 0,
  }));
  ranked.sort(
    (a, b) =>
      Number(a.value === null) - Number(b.value === null) ||
      sign * ((a.value ?? 0) - (b.value ?? 0)) ||
      b.runs - a.runs ||
      compareKeys(a.key, b.key),
  );
  return ranked.slice(0, keep.limit);
}

type Steps = { readonly division: Division; readonly buckets: readonly number[] };

function bucketsOf(division: Division, { window }: RunsQuery): number[] {
  if (window.from >= window.to) return [];
  const first = division.numberOf(window.from);
  const last = division.numberOf(window.to - 1);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function seriesOf(
  { measures }: RunsQuery,
  { runs, own }: { readonly runs: Runs; readonly own: Uint32Array },
  { division, buckets }: Steps,
): (number | null)[][] {
  const first = buckets[0] ?? 0;
  const byBucket = partition(own, buckets.length, (run) => division.numberOf(runs.ts(run)) - first);
  const values = byBucket.map((runsOf) => runValues(measures, runs, runsOf));
  return measures.map((_, place) => values.map((row) => row[place] ?? null));
}
