import type { ReactNode } from 'react';
import type { CsvColumn } from '../../../lib/csv.ts';

export type Column<T> = {
  readonly id: string;
  readonly header: string;
  /** What the column is sorted by; a column without it can't be sorted here. */
  readonly value?: (row: T) => number | string;
  /** What the server calls the order by this column. The table then leaves its rows as they come. */
  readonly sort?: string;
  /** `write` gives the amounts of the column one number of decimals. */
  readonly cell: (row: T, write: (usd: number) => string) => ReactNode;
  /** Dollars that the column shows. */
  readonly amount?: (row: T) => number;
  /** What it is in a file; a column without it is in none. */
  readonly csv?: CsvColumn<T> | readonly CsvColumn<T>[];
  readonly align?: 'right';
  /** Takes the space that is left and cuts what does not fit. */
  readonly wide?: boolean;
  /** Takes the space that is left and breaks its sentences into lines. */
  readonly wraps?: boolean;
};

/** What rows are sorted by: the id of a column, or what the server calls its order. */
export type Sorting = { readonly id: string; readonly desc: boolean };

/** An order that is kept outside of the table, such as in the address. */
export type TableOrder = {
  readonly sorting: Sorting | undefined;
  readonly set: (sorting: Sorting) => void;
};

/** How somebody arranged a table. Widths in pixels, by column. */
export type TableLayout = {
  readonly widths: Readonly<Record<string, number>>;
  readonly isDense: boolean;
  /** Somebody chose columns, widths or density: no other order is made of it. */
  readonly isChanged: boolean;
  readonly setWidth: (id: string, width: number | undefined) => void;
};

/** What an order calls a column. */
export const orderName = ({ sort, id }: { readonly sort?: string; readonly id: string }): string =>
  sort ?? id;
