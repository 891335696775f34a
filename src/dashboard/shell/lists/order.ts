import type { Sorting, TableOrder } from '../../ui/table/column.ts';
import { useSetSearch } from '../scope/scope.ts';
import type { TextSearch } from '../scope/search.ts';

type OrderSearch = TextSearch<'sort' | 'order'>;

/** The order in an address, as the API takes it: the largest or newest first unless it says otherwise. */
export const sortingOf = ({ sort, order }: OrderSearch): Sorting | undefined =>
  sort === undefined && order === undefined ? undefined : { id: sort ?? 'time', desc: order !== 'asc' };

/**
 * The order of a page's list, which its address keeps.
 * @param byDefault left out of the address
 */
export function useOrder(search: OrderSearch, byDefault: Sorting): TableOrder {
  const setSearch = useSetSearch<'events'>();
  const given = sortingOf(search);
  return {
    sorting: given === undefined ? byDefault : { ...given, id: search.sort ?? byDefault.id },
    set: ({ id, desc }) =>
      setSearch({
        sort: id === byDefault.id ? undefined : id,
        order: id === byDefault.id && desc === byDefault.desc ? undefined : desc ? undefined : 'asc',
      }),
  };
}

/** What the API is asked for; an order that none of the columns has is left out. */
export function orderParams<S extends string>(
  { sorting }: TableOrder,
  columns: readonly { readonly sort?: string }[],
): { readonly sort?: S; readonly order?: 'asc' } {
  if (sorting === undefined || !columns.some(({ sort }) => sort === sorting.id)) return {};
  return { sort: sorting.id as S, ...(sorting.desc ? {} : { order: 'asc' }) };
}
