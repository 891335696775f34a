import type { SqlValue } from '../../../../../db/connection.ts';
import { isPercentile, type Measure, measureOf, type Sum, type Sums, sumsFor } from '../../../measures.ts';
import type {
  Dimension,
  GroupFigures,
  GroupsAnswer,
  GroupsQuery,
  Histogram,
  Matrix,
} from '../../../metrics.ts';
import { dimensionValue } from './dimensions.ts';
import { MAX_GROUPS_OF_TIMES, refuseTooManyGroups, total } from './group-limits.ts';
import { addSums, compareKeys, emptySums, type Group, groupId, type Quantiles } from './groups.ts';
import type { CallsPass, GroupsSource, Targets } from './groups-source.ts';
import { type FiguresBy, readMatrix } from './matrix.ts';

/** The keys under which all calls, and those of all other groups, are summed: no group has a key of this length. */
const ALL: readonly SqlValue[] = ['all', 0, 0, 0];
const OTHERS: readonly SqlValue[] = ['others', 0, 0, 0];

/**
 * Answers a query by groups: first the totals of all groups, which decide which are kept, then for these, the others
 * and all calls the percentiles and the series.
 * @throws AppError 400 if there are too many groups
 */
export function queryGroups(source: GroupsSource, query: GroupsQuery): GroupsAnswer {
  const pass = source.whole();
  const groups = pass.groups(sumsOf(query));
  const kept = keptOf(pass, query, groups);
  const ids = new Set(kept.map(({ key }) => groupId(key)));
  const own = (key: readonly SqlValue[]): readonly SqlValue[] => (ids.has(groupId(key)) ? key : OTHERS);
  const figures = readFigures(pass, query, { groups, own });
  const series = query.bucket === undefined ? null : readSeries(source.byBucket(), query, own);
  const of = (key: readonly SqlValue[]): GroupFigures => ({
    values: figures(key),
    ...(series === null ? {} : { series: series.of(key) }),
  });
  const others = groups.size - kept.filter(({ key }) => groups.has(groupId(key))).length;
  return {
    groups: kept.map(({ key, values }) => ({ key: values, ...of(key) })),
    others: others === 0 || query.groupBy.length === 0 ? null : { groups: others, ...of(OTHERS) },
    total: of(ALL),
    times: series?.times ?? [],
    ...(query.histogram && { histogram: histogramOf(pass, query, { groups, series }) }),
    ...(query.matrix !== undefined && { matrix: matrixOf(pass, query, groups) }),
  };
}

/** What is summed: also the number of calls that a histogram is of. */
const sumsOf = (query: GroupsQuery): Sum[] => [
  ...new Set<Sum>([
    ...sumsFor([...query.measures, ...rankMeasures(query)]),
    ...(query.histogram ? [`${query.histogram}_count` as const] : []),
  ]),
];

function histogramOf(
  pass: CallsPass,
  { histogram: time = 'latency' }: GroupsQuery,
  { groups, series }: { readonly groups: Found; readonly series: Series | null },
): Histogram {
  const expected = total(groups, `${time}_count`);
  return (series?.pass ?? pass).histogram({ time, expected }, series?.buckets ?? []);
}

/** @throws AppError 400 for percentiles of too many groups */
function matrixOf(pass: CallsPass, query: GroupsQuery, groups: Found): Matrix {
  const { keep, measures, matrix: size = 0 } = query;
  const { by, direction } = 'by' in keep ? keep : { by: 'requests' as const, direction: 'desc' as const };
  return readMatrix(groups, figuresBy(pass, groups), {
    size,
    measures,
    by,
    direction,
    nameOf: (place, value) => dimensionValue(query.groupBy[place] as Dimension, value),
  });
}

const rankMeasures = ({ keep }: GroupsQuery): Measure[] => ('by' in keep ? [keep.by] : []);

type Found = ReadonlyMap<string, Group>;

/** A group of its own: its stored key, and its values by dimension. */
type Kept = Pick<Group, 'key'> & { readonly values: readonly (string | null)[] };

const namesOf = ({ groupBy }: GroupsQuery, key: readonly SqlValue[]): (string | null)[] =>
  groupBy.map((dimension, place) => dimensionValue(dimension, key[place] ?? null));

/** The groups of their own, in order. */
function keptOf(pass: CallsPass, query: GroupsQuery, groups: Found): Kept[] {
  const { keep, groupBy } = query;
  if (groupBy.length === 0) return [];
  if ('keys' in keep) return keysIn(query, groups, keep.keys);
  const { by, direction, limit } = keep;
  const figureOf = isPercentile(by)
    ? percentileOf(pass, by, groups)
    : ({ sums }: Group): number | null => measureOf(by, sums);
  const ranked = [...groups.values()].map((group) => ({ group, value: figureOf(group) }));
  const sign = direction === 'desc' ? -1 : 1;
  ranked.sort(
    (a, b) =>
      Number(a.value === null) - Number(b.value === null) ||
      sign * ((a.value ?? 0) - (b.value ?? 0)) ||
      b.group.sums.requests - a.group.sums.requests ||
      compareKeys(a.group.key, b.group.key),
  );
  return ranked.slice(0, limit).map(({ group: { key } }) => ({ key, values: namesOf(query, key) }));
}

function percentileOf(pass: CallsPass, by: Measure, groups: Found): (group: Group) => number | null {
  refuseTooManyGroups(groups, MAX_GROUPS_OF_TIMES);
  const quantiles = pass.quantiles([by], (time) => total(groups, `${time}_count`));
  return ({ key }) => (isPercentile(by) ? (quantiles(groupId(key))[by] ?? null) : null);
}

/** The groups with some values. One that no call has gets a key that is no group's. */
function keysIn(query: GroupsQuery, groups: Found, wanted: readonly Kept['values'][]): Kept[] {
  const byValues = new Map([...groups.values()].map(({ key }) => [groupId(namesOf(query, key)), key]));
  return wanted.map((values) => ({
    key: byValues.get(groupId(values)) ?? [...values, 'no calls'],
    values,
  }));
}

type Own = (key: readonly SqlValue[]) => readonly SqlValue[];

/** The values of the measures over the whole window, by key. */
function readFigures(
  pass: CallsPass,
  { measures }: GroupsQuery,
  { groups, own }: { readonly groups: Found; readonly own: Own },
): (key: readonly SqlValue[]) => (number | null)[] {
  return figuresBy(pass, groups)(measures, (key) => [own(key), ALL]);
}

/** The values of measures over the whole window, where each group counts for several keys. */
const figuresBy =
  (pass: CallsPass, groups: Found): FiguresBy =>
  (measures, targets) => {
    const sums = new Map<string, Group['sums']>();
    const sumsBy = (key: readonly SqlValue[]): Group['sums'] => {
      const id = groupId(key);
      const found = sums.get(id) ?? emptySums();
      sums.set(id, found);
      return found;
    };
    for (const group of groups.values())
      for (const key of targets(group.key)) addSums(sumsBy(key), group.sums);
    const quantiles = quantilesOf(pass, measures, { groups, targets });
    return (key) => valuesOf(measures, sumsBy(key), quantiles(groupId(key)));
  };

const valuesOf = (measures: readonly Measure[], sums: Sums, quantiles: Quantiles): (number | null)[] =>
  measures.map((name) => (isPercentile(name) ? (quantiles[name] ?? null) : measureOf(name, sums)));

function quantilesOf(
  pass: CallsPass,
  measures: readonly Measure[],
  { groups, targets }: { readonly groups: Found; readonly targets: Targets },
): (id: string) => Quantiles {
  if (!measures.some(isPercentile)) return () => ({});
  return pass.quantiles(measures, (time) => total(groups, `${time}_count`), targets);
}

type Series = {
  readonly pass: CallsPass;
  /** Numbers of the buckets. */
  readonly buckets: readonly number[];
  readonly times: readonly number[];
  of(key: readonly SqlValue[]): readonly (readonly (number | null)[])[];
};

/** The values of the measures in each bucket of the window. */
function readSeries(pass: CallsPass, { measures, window }: GroupsQuery, own: Own): Series {
  const { division } = pass;
  if (division === null || window.from >= window.to)
    return { pass, buckets: [], times: [], of: () => measures.map(() => []) };
  const inBucket = ([bucket = null, ...key]: readonly SqlValue[]): readonly SqlValue[] => [
    bucket,
    ...own(key),
  ];
  const ofAll = ([bucket = null]: readonly SqlValue[]): readonly SqlValue[] => [bucket, ...ALL];
  const groups = pass.groups(sumsFor(measures), inBucket);
  const quantiles = quantilesOf(pass, measures, {
    groups,
    targets: (key) => [inBucket(key), ofAll(key)],
  });
  const all = new Map<string, Group['sums']>();
  for (const { key, sums } of groups.values()) {
    const id = groupId(ofAll(key));
    const found = all.get(id) ?? emptySums();
    all.set(id, found);
    addSums(found, sums);
  }
  const none = emptySums();
  const first = division.numberOf(window.from);
  const last = division.numberOf(window.to - 1);
  const isEmptyEnd =
    last > first && division.startOf(last) === window.to - 1 && !all.has(groupId([last, ...ALL]));
  const buckets = Array.from({ length: last - first + (isEmptyEnd ? 0 : 1) }, (_, i) => first + i);
  return {
    pass,
    buckets,
    times: [...buckets, first + buckets.length].map((bucket) => division.startOf(bucket)),
    of(key) {
      const values = buckets.map((bucket) => {
        const id = groupId([bucket, ...key]);
        return valuesOf(measures, groups.get(id)?.sums ?? all.get(id) ?? none, quantiles(id));
      });
      return measures.map((_, place) => values.map((row) => row[place] ?? null));
    },
  };
}
