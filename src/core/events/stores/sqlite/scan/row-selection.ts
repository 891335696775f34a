import type { EventFilters, Selection } from '../../../selection.ts';
import type { RowCondition } from '../filters/row-condition.ts';

/** Filters with a key and tag resolved to label numbers, which events store, and conditions with what they need. */
export type RowFilters = Omit<EventFilters, 'where'> & {
  readonly labels?: readonly number[] | undefined;
  readonly where?: readonly RowCondition[] | undefined;
};
export type RowSelection = Omit<Selection, 'filters'> & { readonly filters: RowFilters };
