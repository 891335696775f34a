import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { type Division, divideTime } from '../../../../../lib/time-buckets.ts';
import type { GroupFigures, GroupsAnswer } from '../../../metrics.ts';
import type { RunMeasure } from '../../../query/contract.ts';
import type { RunsQuery } from '../../../query/runs-query.ts';
import { compareKeys, groupId } from '../metrics/groups.ts';
import { bucketName } from '../metrics/metrics-plan.ts';
import { readRuns } from './read-runs.ts';
import type { Run } from './run-table.ts';

const MAX_GROUPS = 200_000;

/** Answers a query of runs by groups, as `answerGroups` does for calls. @throws AppError 400 */
export function queryRuns(reader: Reader, query: RunsQuery): GroupsAnswer {
  const { groupBy, measures, window, bucket, timeZone, behind } = query;
  const { runs, keys } = readRuns(reader, query);
  if (keys.length > MAX_GROUPS)
    throw badRequest(
      'groupBy: there are too many groups of runs; choose fewer dimensions or a shorter window',
    );
  const byGroup = keys.map((): Run[] => []);
  for (const run of runs) byGroup[run.group]?.push(run);
  const kept = groupBy.length === 0 ? [] : keptOf(query, keys, byGroup);
  const rest = new Set(byGroup.keys()).difference(new Set(kept.map(({ group }) => group)));
  const division = bucket === undefined ? null : divideTime(bucketName(bucket), window, { timeZone, behind });
  const buckets = division === null ? [] : bucketsOf(division, query);
  const figures = (own: readonly Run[]): GroupFigures => ({
    values: valuesOf(measures, own),
    ...(division && { series: seriesOf(measures, own, { division, buckets }) }),
  });
  return {
    groups: kept.map(({ key, group }) => ({ key, ...figures(byGroup[group] ?? []) })),
    others:
      groupBy.length === 0 || rest.size === 0
        ? null
        : { groups: rest.size, ...figures([...rest].flatMap((group) => byGroup[group] ?? [])) },
    total: figures(runs),
    times:
      division === null || buckets.length === 0
        ? []
        : [...buckets, (buckets.at(-1) as number) + 1].map((number) => division.startOf(number)),
  };
}

type Kept = { readonly key: readonly (string | null)[]; readonly group: number };

function keptOf(
  { keep }: RunsQuery,
  keys: readonly (readonly (string | null)[])[],
  byGroup: readonly (readonly Run[])[],
): Kept[] {
  if ('keys' in keep) {
    const places = new Map(keys.map((key, group) => [groupId(key), group]));
    return keep.keys.map((key) => ({ key, group: places.get(groupId(key)) ?? -1 }));
  }
  const sign = keep.direction === 'desc' ? -1 : 1;
  const ranked = keys.map((key, group) => ({
    key,
    group,
    value: figureOf(keep.by, byGroup[group] ?? []),
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
  measures: readonly RunMeasure[],
  runs: readonly Run[],
  { division, buckets }: Steps,
): (number | null)[][] {
  const byBucket = buckets.map((): Run[] => []);
  for (const run of runs) byBucket[division.numberOf(run.ts) - (buckets[0] ?? 0)]?.push(run);
  const values = byBucket.map((own) => valuesOf(measures, own));
  return measures.map((_, place) => values.map((row) => row[place] ?? null));
}

const valuesOf = (measures: readonly RunMeasure[], runs: readonly Run[]): (number | null)[] =>
  measures.map((name) => figureOf(name, runs));

/** Runs whose cost is known: not all of their calls are unpriced. */
const isKnown = ({ priced, unpriced }: Run): boolean => priced > 0 || unpriced === 0;

const NANO = 1e9;

function figureOf(measure: RunMeasure, runs: readonly Run[]): number | null {
  const failed = (): number => count(runs, ({ isFailed }) => isFailed);
  const costs = (): number[] => runs.filter(isKnown).map(({ costNano }) => costNano);
  const latencies = (): number[] => runs.flatMap(({ latency }) => (Number.isNaN(latency) ? [] : latency));
  switch (measure) {
    case 'runs':
      return runs.length;
    case 'failedRuns':
      return failed();
    case 'runErrorRate':
      return share(failed(), runs.length);
    case 'runCost':
      return runs.length > 0 && costs().length === 0 ? null : sum(costs()) / NANO;
    case 'runCostAvg':
      return share(sum(costs()) / NANO, costs().length);
    case 'runCostP50':
      return nano(percentile(costs(), 0.5));
    case 'runCostP95':
      return nano(percentile(costs(), 0.95));
    case 'runCostPerSuccess':
      return share(
        sum(costs()) / NANO,
        count(runs, (run) => isKnown(run) && !run.isFailed),
      );
    case 'runLatencyAvg':
      return share(sum(latencies()), latencies().length);
    case 'runLatencyP95':
      return percentile(latencies(), 0.95);
  }
}

const count = (runs: readonly Run[], test: (run: Run) => boolean): number =>
  runs.reduce((all, run) => all + Number(test(run)), 0);
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
const nano = (value: number | null): number | null => (value === null ? null : value / NANO);

/** Nearest rank; null without values. */
function percentile(values: readonly number[], q: number): number | null {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] ?? null;
}
