import type { MetricsReply } from '../../src/core/events/query/contract.ts';
import { countText, percentText } from '../../src/lib/figures.ts';
import { binText } from '../../src/lib/ranges/bin-text.ts';
import { truncate } from '../fit.ts';
import { bar, type CellValue, number, printable } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { tinted } from '../report/figures.ts';
import { figureCell } from './figure-cell.ts';
import { isOtherValues } from './value-name.ts';

/** Prints how many calls took how long, a line for each range of times. */
export function printHistogram(output: Output, { histogram }: MetricsReply): void {
  if (histogram === undefined) return;
  const { bounds, counts, exact } = histogram;
  const all = counts.reduce((sum, calls) => sum + calls, 0);
  output.raw('\n');
  if (all === 0) {
    output.line(tinted('No calls with a time', 'dim'));
    return;
  }
  const most = Math.max(...counts);
  output.table(
    [
      { header: 'time', value: ({ bin }) => binText(bounds, bin) },
      { header: 'calls', value: ({ calls }) => number(calls) },
      {
        header: 'share',
        value: ({ calls }) => ({ text: percentText(calls / all), align: 'right' as const }),
      },
      { header: '', value: ({ calls }) => bar(calls, most), fixed: true },
    ],
    counts.map((calls, bin) => ({ calls, bin })),
  );
  if (!exact)
    output.line(
      tinted('Counted from roll-ups: a call within 1 % of a bound may be in the next range', 'dim'),
    );
}

type Side = NonNullable<MetricsReply['matrix']>['rows'][number];
type Row = { readonly name: CellValue; readonly cells: readonly CellValue[] };

/** Prints the first measure by two dimensions as a table. */
export function printMatrix(output: Output, { matrix, measures, groupBy, total }: MetricsReply): void {
  const [measure] = measures;
  if (matrix === undefined || measure === undefined) return;
  const { name } = measure;
  const cell = (values: Side['values'] | undefined, unpriced: number | undefined): CellValue =>
    figureCell(measure, values?.[name] ?? null, unpriced);
  const rows: Row[] = [
    ...matrix.rows.map((row, y) => ({
      name: nameOf(groupBy[0] ?? '', row),
      cells: [
        ...matrix.columns.map((_, x) => cell(matrix.cells[y]?.[x], matrix.unpriced?.[y]?.[x])),
        cell(row.values, row.unpriced),
      ],
    })),
    {
      name: tinted('all', 'bold'),
      cells: [...matrix.columns, total].map(({ values, unpriced }) => cell(values, unpriced)),
    },
  ];
  const heads = [...matrix.columns.map((column) => nameOf(groupBy[1] ?? '', column)), 'all'];
  // These headings are values of events, which may be long.
  const widest = Math.max(8, Math.floor(output.columns / (heads.length + 1)) - 2);
  const columns: Column<Row>[] = [
    { header: groupBy[0] ?? '', value: (row) => row.name },
    ...heads.map(
      (head, x): Column<Row> => ({
        header: truncate(printable(head), widest),
        value: ({ cells }) => cells[x],
      }),
    ),
  ];
  output.line(`${name} by ${groupBy.join(' and ')}`);
  output.table(columns, rows);
}

const nameOf = (dimension: string, { value, others }: Side): string => {
  if (others !== null) return countText(others, 'other');
  return value === null ? 'none' : isOtherValues(dimension, value) ? 'other values' : value;
};
