import type { Histogram, Matrix } from '../metrics.ts';
import type { MetricsReply } from './contract.ts';

export const toHistogram = ({
  isExact,
  bounds,
  counts,
  series,
}: Histogram): NonNullable<MetricsReply['histogram']> => ({
  exact: isExact,
  bounds: [...bounds],
  counts: [...counts],
  ...(series === undefined ? {} : { series: series.map((step) => [...step]) }),
});

type Side = NonNullable<MetricsReply['matrix']>['rows'][number];

/** @param figuresOf the figures of a group, whose values are in the order of the measures, as a reply has them */
export function toMatrix(
  { rows, columns, cells }: Matrix,
  figuresOf: (values: readonly (number | null)[]) => Pick<Side, 'values' | 'unpriced' | 'calls'>,
): NonNullable<MetricsReply['matrix']> {
  const toSide = ({ value, others, values }: Matrix['rows'][number]): Side => ({
    value,
    others,
    ...figuresOf(values),
  });
  const figures = cells.map((row) => row.map(figuresOf));
  const isCounted = figures.flat().some(({ unpriced }) => unpriced !== undefined);
  return {
    rows: rows.map(toSide),
    columns: columns.map(toSide),
    cells: figures.map((row) => row.map(({ values }) => values)),
    ...(isCounted && { unpriced: figures.map((row) => row.map(({ unpriced = 0 }) => unpriced)) }),
  };
}
