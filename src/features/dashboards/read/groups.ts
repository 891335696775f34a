import type { MetricsRow } from '../../../core/events/index.ts';
import type { TileDimension, TileMeasure, TileQuery } from '../tiles/contract.ts';

/** A row of the store with the measures and dimensions of a tile, whatever they are. */
export type AnyRow = MetricsRow & Readonly<Record<string, number | string | null | undefined>>;

/** The values of a tile's dimensions in a row. */
export const groupOf = (row: AnyRow, dimensions: readonly TileDimension[]): (string | null)[] =>
  dimensions.map((dimension) => {
    const value = row[dimension];
    return typeof value === 'string' ? value : null;
  });

export const keyOf = (group: readonly (string | null)[]): string => JSON.stringify(group);

export const figureOf = (row: AnyRow | undefined, measure: TileMeasure): number | null => {
  const value = row?.[measure];
  return typeof value === 'number' ? value : null;
};

/** The largest groups by the first measure, and how many are left. A row that merges several values is left too. */
export function largest(
  rows: readonly AnyRow[],
  { measures, groupBy, limit }: TileQuery,
): { readonly rows: AnyRow[]; readonly others: number } {
  const [first = 'requests'] = measures;
  const single = rows.filter(({ others }) => others === undefined);
  const merged = rows.reduce((sum, { others }) => sum + (others ?? 0), 0);
  const sorted = single.toSorted(
    (a, b) =>
      (figureOf(b, first) ?? Number.NEGATIVE_INFINITY) - (figureOf(a, first) ?? Number.NEGATIVE_INFINITY) ||
      (keyOf(groupOf(a, groupBy)) < keyOf(groupOf(b, groupBy)) ? -1 : 1),
  );
  return { rows: sorted.slice(0, limit), others: Math.max(0, sorted.length - limit) + merged };
}
