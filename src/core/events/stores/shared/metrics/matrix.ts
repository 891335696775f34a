import type { SqlValue } from '../../../../../db/connection.ts';
import { isPercentile, type Measure, measureOf } from '../../../measures.ts';
import type { GroupFigures, Matrix, MatrixSide } from '../../../metrics.ts';
import { compareKeys, type Group, groupId, mergeGroups } from './groups.ts';

/** The values of measures by key, where each group counts for several keys. */
export type FiguresBy = (
  measures: readonly Measure[],
  targets: (key: readonly SqlValue[]) => readonly (readonly SqlValue[])[],
) => (key: readonly SqlValue[]) => (number | null)[];

type Asked = {
  readonly size: number;
  readonly measures: readonly Measure[];
  readonly by: Measure;
  readonly direction: 'desc' | 'asc';
  /** The value of a dimension as replies have it. */
  readonly nameOf: (place: 0 | 1, value: SqlValue) => string | null;
};
type Side = { readonly values: readonly SqlValue[]; readonly others: number };

/** What stands for a value that is merged with others: no key of a group has three parts. */
const keyOfSide = (place: 0 | 1, { values }: Side, value: SqlValue): readonly SqlValue[] =>
  values.includes(value) ? [place, 'value', value] : [place, 'others', null];

/**
 * Groups of two dimensions as a table: the first values of each by a measure, and all others of it together. Each cell,
 * row and column is computed from the calls, so that also means and percentiles are right.
 */
export function readMatrix(groups: ReadonlyMap<string, Group>, figuresBy: FiguresBy, asked: Asked): Matrix {
  const rows = sideOf(0, groups, figuresBy, asked);
  const columns = sideOf(1, groups, figuresBy, asked);
  const sides = ([row = null, column = null]: readonly SqlValue[]) =>
    [keyOfSide(0, rows, row), keyOfSide(1, columns, column)] as const;
  const present = new Set<string>();
  for (const { key } of groups.values()) present.add(groupId(sides(key).flat()));
  const figures = figuresBy(asked.measures, (key) => {
    const [row, column] = sides(key);
    return [row, column, [...row, ...column]];
  });
  const lines = (place: 0 | 1, side: Side): readonly Line[] => [
    ...side.values.map((value) => ({
      key: [place, 'value', value],
      value: asked.nameOf(place, value),
      others: null,
    })),
    ...(side.others === 0 ? [] : [{ key: [place, 'others', null], value: null, others: side.others }]),
  ];
  const [down, across] = [lines(0, rows), lines(1, columns)];
  const toSide = ({ key, value, others }: Line): MatrixSide => ({ value, others, values: figures(key) });
  return {
    rows: down.map(toSide),
    columns: across.map(toSide),
    cells: down.map((row) =>
      across.map((column) => {
        const key = [...row.key, ...column.key];
        return present.has(groupId(key)) ? figures(key) : asked.measures.map(() => null);
      }),
    ),
  };
}

type Line = {
  readonly key: readonly SqlValue[];
  readonly value: string | null;
  readonly others: number | null;
};

/** The first values of a dimension; those without a value of the measure come last. */
function sideOf(
  place: 0 | 1,
  groups: ReadonlyMap<string, Group>,
  figuresBy: FiguresBy,
  { size, by, direction }: Asked,
): Side {
  const merged = [...mergeGroups(groups.values(), [place]).values()];
  const rankOf = isPercentile(by)
    ? percentileBy(by, figuresBy, place)
    : ({ sums }: Group): GroupFigures['values'][number] => measureOf(by, sums);
  const sign = direction === 'desc' ? -1 : 1;
  const ranked = merged
    .map((group) => ({ group, value: rankOf(group) }))
    .sort(
      (a, b) =>
        Number(a.value === null) - Number(b.value === null) ||
        sign * ((a.value ?? 0) - (b.value ?? 0)) ||
        b.group.sums.requests - a.group.sums.requests ||
        compareKeys(a.group.key, b.group.key),
    );
  return {
    values: ranked.slice(0, size).map(({ group }) => group.key[0] ?? null),
    others: Math.max(0, ranked.length - size),
  };
}

function percentileBy(by: Measure, figuresBy: FiguresBy, place: 0 | 1): (group: Group) => number | null {
  const figures = figuresBy([by], (key) => [[key[place] ?? null]]);
  return ({ key }) => figures(key)[0] ?? null;
}
