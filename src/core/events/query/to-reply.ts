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

/** @param valuesOf the values of a group in the order of the measures, as a reply has them */
export function toMatrix(
  { rows, columns, cells }: Matrix,
  valuesOf: (values: readonly (number | null)[]) => MetricsReply['total']['values'],
): NonNullable<MetricsReply['matrix']> {
  const toSide = ({ value, others, values }: Matrix['rows'][number]) => ({
    value,
    others,
    values: valuesOf(values),
  });
  return {
    rows: rows.map(toSide),
    columns: columns.map(toSide),
    cells: cells.map((row) => row.map(valuesOf)),
  };
}
