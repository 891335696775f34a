import type { Endpoint, ReplyOf } from '../../../http/endpoint.ts';
import type { CsvRows } from '../../ui/table/csv-button.tsx';
import { type Asked, type Handle, pathOf } from '../endpoint.ts';
import { call } from '../request.ts';

/** Rows that a file of a list may have, and rows of a request. */
const MOST = 10_000;
const PAGE = 200;

/** The rows of a list that goes on by cursor, page by page, up to 10,000. */
export async function allRows<E extends Endpoint, T>(
  { path }: Handle<E>,
  { params, query }: Asked<E>,
  rowsOf: (page: ReplyOf<E>) => readonly T[],
): Promise<CsvRows<T>> {
  const rows: T[] = [];
  let cursor: string | undefined;
  for (;;) {
    const given = { ...query, limit: PAGE, cursor };
    const page = await call<ReplyOf<E>>(pathOf(path, params), { params: given });
    rows.push(...rowsOf(page));
    const next = cursorOf(page);
    if (next === null || rows.length >= MOST)
      return { rows: rows.slice(0, MOST), isCut: next !== null || rows.length > MOST };
    cursor = next;
  }
}

/** Where the next page of a list begins; null on the last. */
const cursorOf = (page: unknown): string | null =>
  (page as { readonly nextCursor: string | null }).nextCursor;
