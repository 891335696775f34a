import { toCsv } from '../../src/lib/csv.ts';
import type { Cell, CellValue } from '../format.ts';
import type { Output } from '../output.ts';
import { tinted } from '../report/figures.ts';
import type { Value } from './columns.ts';
import type { Rows } from './messages.ts';

/** Narrowest column that is readable, with the gap. */
const COLUMN_WIDTH = 8;

/** Prints rows as a table; a row with more columns than fit is printed line by line. */
export const printTable = (output: Output, { columns, rows }: Rows): void => {
  if (rows.length === 0) output.line('No rows.');
  else if (columns.length * COLUMN_WIDTH <= output.columns) printGrid(output, { columns, rows });
  else printRecords(output, { columns, rows });
};

type Grid = Pick<Rows, 'columns' | 'rows'>;

const printGrid = (output: Output, { columns, rows }: Grid): void =>
  output.table(
    columns.map((header, i) => ({ header, value: (row: readonly Value[]) => cellOf(row[i]) })),
    rows,
  );

const printRecords = (output: Output, { columns, rows }: Grid): void => {
  for (const [number, row] of rows.entries()) {
    output.line(tinted(`row ${number + 1}`, 'bold'));
    output.table(
      [
        { header: '', value: ([name]) => tinted(String(name), 'dim'), fixed: true },
        { header: '', value: ([, value]) => ({ ...leftOf(cellOf(value)) }) },
      ],
      columns.map((name, i): [string, Value] => [name, row[i] ?? null]),
    );
  }
};

/** Numbers with 15 digits, which every double has exactly; SQL's NULL is a dash, an empty text is empty. */
const cellOf = (value: Value | undefined): CellValue => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return { text: value };
  return { text: String(Number(value.toPrecision(15))), align: 'right' };
};

const leftOf = (cell: CellValue): Cell =>
  typeof cell === 'object' && cell !== null ? { text: cell.text } : { text: '–', tone: 'dim' };

/** Rows as CSV. JSON has their texts unchanged. */
export const rowsToCsv = ({ columns, rows }: Rows): string =>
  toCsv(
    columns.map((header, i) => ({ header, value: (row: readonly Value[]) => row[i] })),
    rows,
  );

/** Rows as objects by column. */
export const rowsToObjects = ({ columns, rows }: Rows): Record<string, Value>[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null])));
