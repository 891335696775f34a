import { badRequest } from '../../../../../errors.ts';

/** A row's place in an order: by `key` (NaN without one), then newest first, then by id descending. */
export type Rank = { readonly key: number; readonly ts: number };

/** A place in an order as a cursor keeps it. */
export type Place = Rank & { readonly id: string };

/** Negative if the first comes before the second. Rows without a key are last in both directions. */
export function compareKeys(a: Rank, b: Rank, desc: boolean): number {
  if (a.key !== b.key) {
    const [none, other] = [Number.isNaN(a.key), Number.isNaN(b.key)];
    if (none !== other) return none ? 1 : -1;
    if (!none) return desc ? b.key - a.key : a.key - b.key;
  }
  return b.ts - a.ts;
}

/** The first rows of an order, collected one by one. */
export type Top<T> = {
  /** Whether a row with this rank can be among them. */
  admits(rank: Rank): boolean;
  add(row: T): void;
  /** In order, at most `limit`. */
  rows(): T[];
};

/** Rows kept before those beyond the limit are dropped. */
const SLACK = 1_000;

export function createTop<T extends Rank>(
  limit: number,
  desc: boolean,
  compare: (a: T, b: T) => number,
): Top<T> {
  let kept: T[] = [];
  let bound: T | undefined;
  const trim = (): void => {
    kept = kept.sort(compare).slice(0, limit);
    bound = kept[limit - 1];
  };
  return {
    admits: (rank) => bound === undefined || compareKeys(rank, bound, desc) <= 0,
    add(row) {
      if (kept.push(row) >= limit + SLACK) trim();
    },
    rows() {
      trim();
      return kept;
    },
  };
}

/** Encodes a place of the order `by` as opaque text. A cursor of another order is refused. */
export const encodePlace = (by: string, { key, ts, id }: Place): string =>
  Buffer.from(JSON.stringify([by, Number.isNaN(key) ? null : key, ts, id])).toString('base64url');

/** Decodes a cursor of `encodePlace`. @throws AppError 400 for anything else */
export function decodePlace(by: string, cursor: string, isId: (id: string) => boolean): Place {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value) && value.length === 4) {
      const [order, key, ts, id]: unknown[] = value;
      const isKey = key === null || (typeof key === 'number' && Number.isFinite(key));
      const isTime = typeof ts === 'number' && Number.isFinite(ts);
      if (order === by && isKey && isTime && typeof id === 'string' && isId(id))
        return { key: key === null ? Number.NaN : (key as number), ts, id };
    }
  } catch {
    // Reported below, like any other invalid text.
  }
  throw badRequest(
    'cursor: was not returned by this endpoint in this order; leave it out for the first page',
  );
}

/** What a cursor calls an order. */
export const orderName = ({ by, desc }: { readonly by: string; readonly desc: boolean }): string =>
  `${desc ? '-' : ''}${by}`;
