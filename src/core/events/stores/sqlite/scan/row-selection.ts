import type { EventFilters, Selection } from '../../../selection.ts';

/** Filters with a key and tag resolved to label numbers, which events store. */
export type RowFilters = EventFilters & { readonly labels?: readonly number[] | undefined };
export type RowSelection = Omit<Selection, 'filters'> & { readonly filters: RowFilters };
