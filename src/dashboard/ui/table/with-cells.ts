import type { Column } from './column.ts';

/** A column that may show its value as it is. */
export type PlainColumn<T> = Omit<Column<T>, 'cell'> & Partial<Pick<Column<T>, 'cell'>>;

/** Columns without a cell of their own show their value. */
export const withCells = <T>(columns: readonly PlainColumn<T>[]): Column<T>[] =>
  columns.map((column) => ({ ...column, cell: column.cell ?? ((row) => column.value?.(row)) }));
