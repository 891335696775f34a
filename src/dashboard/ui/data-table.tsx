import { type JSX, lazy, Suspense, useMemo, useRef, useState } from 'react';
import { moneyText } from '../../lib/figures.ts';
import { moneyColumn } from '../../lib/money-column.ts';
import { type Column, orderName, type Sorting, type TableLayout, type TableOrder } from './table/column.ts';
import { HeadCell, SortButton } from './table/head-cell.tsx';
import { useOpenRows } from './table/open-row.ts';
import { usePhoneOrder } from './table/phone-order.ts';
import css from './table/table.module.css';
import { useHeldWidths } from './table/use-held-widths.ts';

export type { Column } from './table/column.ts';

type Props<T> = {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Below all others, whatever the order: what they add up to. */
  readonly footer?: readonly T[];
  readonly rowKey: (row: T) => string;
  /** Ids of the columns that come first on a phone; the others are out of sight there. */
  readonly phone?: readonly string[];
  /** The order at first; the table keeps the one that is chosen, unless `order` does. */
  readonly sort?: Sorting;
  readonly order?: TableOrder | undefined;
  readonly layout?: TableLayout | undefined;
  readonly label: string;
  /** With it, the table can be saved as a file of this name. */
  readonly csv?: string;
};

const ROW = { dense: 28, usual: 34 } as const;

/** More rows are not all in the document, so that scrolling stays smooth. */
const MOST_ROWS = 400;
/** How many of them are there while that which chooses them is fetched: a screen's. */
const FIRST_ROWS = 60;

const CsvButton = lazy(async () => ({ default: (await import('./table/csv-button.tsx')).CsvButton }));
const LongRows = lazy(async () => ({ default: (await import('./table/long-rows.tsx')).LongRows }));

const compare = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));

/** Rows that are equal stay in the order in which they came. */
export function sortRows<T>(rows: readonly T[], columns: readonly Column<T>[], by?: Sorting): readonly T[] {
  const value = columns.find((column) => column.sort === undefined && column.id === by?.id)?.value;
  if (by === undefined || value === undefined) return rows;
  return rows.toSorted((a, b) => (by.desc ? compare(value(b), value(a)) : compare(value(a), value(b))));
}

const classOf = <T,>({ align, wide, wraps }: Column<T>): string =>
  `${align === 'right' ? 'right num' : ''} ${wide ? 'wide' : ''} ${wraps ? 'wraps' : ''}`.trim();

/**
 * A table of figures. Its columns sort the rows that are there, or ask for another order where the rows are a part of a
 * longer list. A click in a row opens what its link with the class `row-link` leads to.
 */
export function DataTable<T>(props: Props<T>): JSX.Element {
  const { rows, footer, rowKey, sort, order, layout, label, csv } = props;
  const columns = usePhoneOrder(props.columns, layout?.isChanged ? undefined : props.phone);
  const [own, setOwn] = useState(sort);
  const sorting = order === undefined ? own : (order.sorting ?? sort);
  const setSorting = order?.set ?? setOwn;
  const sorted = useMemo(() => sortRows(rows, columns, sorting), [columns, rows, sorting]);
  const writers = useMemo(() => {
    const all = [...rows, ...(footer ?? [])];
    return columns.map(({ amount }) => moneyColumn(amount === undefined ? [] : all.map(amount)));
  }, [columns, rows, footer]);
  const table = useRef<HTMLTableElement>(null);
  useOpenRows(table);
  const ids = columns.map(({ id }) => id);
  const isLong = sorted.length > MOST_ROWS && !columns.some(({ wraps }) => wraps);
  const isSet = ids.some((id) => layout?.widths[id] !== undefined);
  const held = useHeldWidths(table, isLong || isSet, ids.join());
  const line = (row: T): JSX.Element => (
    <tr key={rowKey(row)}>
      {columns.map((column, place) => (
        <td key={column.id} className={classOf(column)}>
          {column.cell(row, writers[place] ?? moneyText)}
        </td>
      ))}
    </tr>
  );
  const body = (
    <section className="table-scroll" tabIndex={0} aria-label={label}>
      <table
        ref={table}
        className={`table ${held === null ? '' : css.fixed} ${layout?.isDense ? css.dense : ''}`}
        aria-rowcount={isLong ? sorted.length + 1 : undefined}
      >
        {held !== null && (
          <colgroup>
            {ids.map((id, place) => (
              <col key={id} style={{ width: layout?.widths[id] ?? held[place] }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {columns.map((column) => (
              <Head
                key={column.id}
                column={column}
                sorting={sorting}
                onSort={setSorting}
                onWidth={layout && ((width) => layout.setWidth(column.id, width))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {isLong ? (
            <Suspense fallback={sorted.slice(0, FIRST_ROWS).map(line)}>
              <LongRows
                table={table}
                count={sorted.length}
                height={layout?.isDense ? ROW.dense : ROW.usual}
                columns={columns.length}
                row={(place) => line(sorted[place] as T)}
              />
            </Suspense>
          ) : (
            sorted.map(line)
          )}
        </tbody>
        {footer !== undefined && <tfoot>{footer.map(line)}</tfoot>}
      </table>
    </section>
  );
  if (csv === undefined) return body;
  return (
    <>
      {body}
      <div className={css.file}>
        <Suspense>
          {/* `lazy` loses the type of the rows. */}
          <CsvButton
            name={csv}
            columns={props.columns as readonly Column<unknown>[]}
            rows={() => ({ rows: sorted })}
            quiet
          />
        </Suspense>
      </div>
    </>
  );
}

type HeadProps<T> = {
  readonly column: Column<T>;
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting) => void;
  readonly onWidth: ((width: number | undefined) => void) | undefined;
};

function Head<T>({ column, sorting, onSort, onWidth }: HeadProps<T>): JSX.Element {
  const name = orderName(column);
  const canSort = column.value !== undefined || column.sort !== undefined;
  const desc = canSort && sorting?.id === name ? sorting.desc : null;
  return (
    <HeadCell className={classOf(column)} desc={desc} resize={onWidth && { onWidth }}>
      {canSort ? (
        <SortButton
          label={column.header}
          desc={desc}
          isFigure={column.align === 'right' || column.sort !== undefined}
          onSort={(down) => onSort({ id: name, desc: down })}
        />
      ) : (
        column.header
      )}
    </HeadCell>
  );
}
