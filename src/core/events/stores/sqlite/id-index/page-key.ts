import type { FilteredId } from '../segments/filter-parts.ts';

/** Keys of pages per index, and per column of it. */
export const INDEX_SPACE = 4_096;
const FIRST_PAGE = { trace_id: 0, event_id: INDEX_SPACE / 2 } as const;

/** The key of a page's row. */
export const pageKey = (index: number, column: FilteredId, page: number): number =>
  index * INDEX_SPACE + FIRST_PAGE[column] + page;
