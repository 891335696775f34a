import { type JSX, type ReactNode, useMemo, useState } from 'react';
import { moneyText } from '../../lib/figures.ts';
import { moneyColumn } from '../../lib/money-column.ts';
import { Icon } from './icons.tsx';

export type Column<T> = {
  readonly id: string;
  readonly header: string;
  /** What the column is sorted by; a column without it can't be sorted. */
  readonly value?: (row: T) => number | string;
  /** `write` gives the amounts of the column one number of decimals. */
  readonly cell: (row: T, write: (usd: number) => string) => ReactNode;
  /** Dollars that the column shows. */
  readonly amount?: (row: T) => number;
  readonly align?: 'right';
  /** Takes the space that is left and cuts what does not fit. */
  readonly wide?: boolean;
  /** Takes the space that is left and breaks its sentences into lines. */
  readonly wraps?: boolean;
};

type Sorting = { readonly id: string; readonly desc: boolean };

type Props<T> = {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Below all others, whatever the order: what they add up to. */
  readonly footer?: readonly T[];
  readonly rowKey: (row: T) => string;
  readonly sort?: Sorting;
  readonly label: string;
};

const compare = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));

/** Rows that are equal stay in the order in which they came. */
const sorted = <T,>(rows: readonly T[], value: (row: T) => number | string, desc: boolean): T[] =>
  rows.toSorted((a, b) => (desc ? compare(value(b), value(a)) : compare(value(a), value(b))));

const classOf = <T,>({ align, wide, wraps }: Column<T>): string =>
  `${align === 'right' ? 'right num' : ''} ${wide ? 'wide' : ''} ${wraps ? 'wraps' : ''}`.trim();

/** A table of figures that is all there: it can be sorted by any of its columns. */
export function DataTable<T>({ columns, rows, footer, rowKey, sort, label }: Props<T>): JSX.Element {
  const [sorting, setSorting] = useState(sort);
  const shown = useMemo(() => {
    const value = columns.find(({ id }) => id === sorting?.id)?.value;
    return sorting === undefined || value === undefined ? rows : sorted(rows, value, sorting.desc);
  }, [columns, rows, sorting]);
  const writers = useMemo(() => {
    const all = [...rows, ...(footer ?? [])];
    return columns.map(({ amount }) => moneyColumn(amount === undefined ? [] : all.map(amount)));
  }, [columns, rows, footer]);
  const line = (row: T): JSX.Element => (
    <tr key={rowKey(row)}>
      {columns.map((column, place) => (
        <td key={column.id} className={classOf(column)}>
          {column.cell(row, writers[place] ?? moneyText)}
        </td>
      ))}
    </tr>
  );
  return (
    <section className="table-scroll" tabIndex={0} aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <Head
                key={column.id}
                column={column}
                desc={sorting?.id === column.id ? sorting.desc : null}
                onSort={(desc) => setSorting({ id: column.id, desc })}
              />
            ))}
          </tr>
        </thead>
        <tbody>{shown.map(line)}</tbody>
        {footer !== undefined && <tfoot>{footer.map(line)}</tfoot>}
      </table>
    </section>
  );
}

type HeadProps<T> = {
  readonly column: Column<T>;
  /** How the table is sorted by this column; null when it is not. */
  readonly desc: boolean | null;
  readonly onSort: (desc: boolean) => void;
};

/** Figures are first sorted from the largest, text from A. */
function Head<T>({ column, desc, onSort }: HeadProps<T>): JSX.Element {
  if (column.value === undefined) return <th className={classOf(column)}>{column.header}</th>;
  return (
    <th className={classOf(column)} aria-sort={desc === null ? undefined : desc ? 'descending' : 'ascending'}>
      <button
        type="button"
        className="sort"
        onClick={() => onSort(desc === null ? column.align === 'right' : !desc)}
      >
        {column.header}
        {desc !== null && (
          <span className={desc ? undefined : 'flip'}>
            <Icon name="chevron" size={12} />
          </span>
        )}
      </button>
    </th>
  );
}
