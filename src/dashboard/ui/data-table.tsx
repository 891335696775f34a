import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type JSX, type ReactNode, useMemo, useState } from 'react';
import { Icon } from './icons.tsx';

export type Column<T> = {
  readonly id: string;
  readonly header: string;
  /** What the column is sorted by; a column without it can't be sorted. */
  readonly value?: (row: T) => number | string;
  readonly cell: (row: T) => ReactNode;
  readonly align?: 'right';
  /** Takes the space that is left and cuts what does not fit. */
  readonly wide?: boolean;
};

type Props<T> = {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  readonly sort?: { readonly id: string; readonly desc: boolean };
  readonly label: string;
};

const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  sortedRowModel: createSortedRowModel(),
});

const comparing =
  <T,>(value: (row: T) => number | string) =>
  (a: { original: T }, b: { original: T }): number => {
    const [x, y] = [value(a.original), value(b.original)];
    return typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
  };

const toDef = <T extends RowData>(column: Column<T>): ColumnDef<typeof features, T> => ({
  id: column.id,
  accessorFn: column.value ?? (() => ''),
  enableSorting: column.value !== undefined,
  sortDescFirst: column.align === 'right',
  ...(column.value === undefined ? {} : { sortFn: comparing(column.value) }),
});

/** A table of figures that is all there: it can be sorted by any of its columns. */
export function DataTable<T extends RowData>({ columns, rows, rowKey, sort, label }: Props<T>): JSX.Element {
  const [sorting, setSorting] = useState<SortingState>(sort === undefined ? [] : [sort]);
  const defs = useMemo(() => columns.map(toDef), [columns]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: defs,
    data,
    getRowId: rowKey,
    state: { sorting },
    onSortingChange: setSorting,
    enableSortingRemoval: false,
  });
  const byId = new Map(columns.map((column) => [column.id, column]));
  const classOf = ({ align, wide }: Column<T>): string =>
    `${align === 'right' ? 'right num' : ''} ${wide ? 'wide' : ''}`.trim();
  return (
    <section className="table-scroll" tabIndex={0} aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            {(table.getHeaderGroups()[0]?.headers ?? []).map((header) => {
              const column = byId.get(header.id);
              if (column === undefined) return null;
              const sorted = header.column.getIsSorted();
              return (
                <th
                  key={header.id}
                  className={classOf(column)}
                  aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
                >
                  {column.value === undefined ? (
                    column.header
                  ) : (
                    <button type="button" className="sort" onClick={() => header.column.toggleSorting()}>
                      {column.header}
                      {sorted !== false && (
                        <span className={sorted === 'asc' ? 'flip' : undefined}>
                          <Icon name="chevron" size={12} />
                        </span>
                      )}
                    </button>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {columns.map((column) => (
                <td key={column.id} className={classOf(column)}>
                  {column.cell(row.original)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
