import { useLocalStorage } from '@mantine/hooks';
import type { TableLayout } from '../../ui/table/column.ts';

/** What a browser keeps of a table. `columns`: ids of those shown, in order; without it the usual ones. */
type Kept = {
  readonly columns?: readonly string[];
  readonly widths?: Readonly<Record<string, number>>;
  readonly isDense?: boolean;
};

/** A column as the menu names it. */
export type NamedColumn = { readonly id: string; readonly label: string };

/** How somebody arranged a list in this browser, and ways to change it. */
export type ListLayout = TableLayout & {
  /** Ids of the columns that are shown, in order. */
  readonly shown: readonly string[];
  /** All columns: the shown ones in order, then the others. */
  readonly all: readonly NamedColumn[];
  /** The first column, which stays. */
  readonly fixed: string;
  setShown(ids: readonly string[]): void;
  setDense(isDense: boolean): void;
  reset(): void;
};

type Options = {
  /** Names the list in this browser. */
  readonly name: string;
  readonly columns: readonly NamedColumn[];
  /** Ids of the usual columns; all by default. */
  readonly usual?: readonly string[];
  /** Columns that the address names: they go before those that the browser keeps. */
  readonly given?: readonly string[] | undefined;
  /** Called with the columns that were chosen; undefined for the usual ones. */
  readonly onShown?: (ids: readonly string[] | undefined) => void;
};

const NOTHING: Kept = {};

/** The arrangement of a list: which columns, in which order, how wide, how dense. This browser keeps it. */
export function useListLayout({ name, columns, usual, given, onShown }: Options): ListLayout {
  const [kept, setKept] = useLocalStorage<Kept>({
    key: `spanledger.table.${name}`,
    defaultValue: NOTHING,
    getInitialValueInEffect: false,
  });
  const ids = columns.map(({ id }) => id);
  const fixed = ids[0] ?? '';
  const byDefault = usual ?? ids;
  const wanted = (given ?? kept.columns ?? byDefault).filter((id) => id !== fixed && ids.includes(id));
  const shown = [fixed, ...new Set(wanted)];
  const labels = new Map(columns.map((column) => [column.id, column]));
  const all = [...shown, ...ids.filter((id) => !shown.includes(id))].flatMap((id) => labels.get(id) ?? []);
  const keep = (patch: Kept): void => setKept((before) => ({ ...before, ...patch }));
  const isUsual = (chosen: readonly string[]): boolean => chosen.join() === byDefault.join();
  return {
    shown,
    all,
    fixed,
    widths: kept.widths ?? {},
    isDense: kept.isDense ?? false,
    isChanged: !isUsual(shown) || kept.isDense === true || Object.keys(kept.widths ?? {}).length > 0,
    setShown(chosen) {
      keep({ columns: chosen });
      onShown?.(isUsual(chosen) ? undefined : chosen);
    },
    setDense: (isDense) => keep({ isDense }),
    setWidth: (id, width) =>
      setKept(({ widths = {}, ...before }) => {
        const { [id]: _, ...others } = widths;
        return { ...before, widths: width === undefined ? others : { ...others, [id]: width } };
      }),
    reset() {
      setKept(NOTHING);
      onShown?.(undefined);
    },
  };
}

/** The columns of a table as they are arranged. */
export const arranged = <C extends { readonly id: string }>(
  columns: readonly C[],
  { shown }: Pick<ListLayout, 'shown'>,
): C[] => shown.flatMap((id) => columns.find((column) => column.id === id) ?? []);

/** Columns by the names that the menu shows; those without a name are no choice. */
export const namesOf = (
  columns: readonly { readonly id: string; readonly header: string }[],
): NamedColumn[] => columns.map(({ id, header }) => ({ id, label: header }));
