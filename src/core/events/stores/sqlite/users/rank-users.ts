import { DAY_MS } from '../../../../../lib/time.ts';
import { decodePlace, encodePlace } from '../../shared/order/rank.ts';
import type { DayPage, FreshUser } from './read-user-pages.ts';
import { PAGE_USERS, U } from './user-page.ts';

/** A user's sort position: by `key`, then last event, the latest first, then number. */
export type Rank = { readonly key: number; readonly last: number; readonly no: number };

const byRank =
  (desc: boolean) =>
  (a: Rank, b: Rank): number =>
    (desc ? b.key - a.key : a.key - b.key) || b.last - a.last || a.no - b.no;

/** Sort keys by user number, in arrays, because a month may have a million user days. */
export type Totals = {
  readonly events: Float64Array;
  readonly key: Float64Array;
  readonly last: Float64Array;
};

/** @param place index of the sum to sort by */
export function addUp(
  pages: readonly DayPage[],
  fresh: ReadonlyMap<number, FreshUser>,
  { size, place }: { readonly size: number; readonly place: number },
): Totals {
  const totals = {
    events: new Float64Array(size),
    key: new Float64Array(size),
    last: new Float64Array(size).fill(Number.NEGATIVE_INFINITY),
  };
  for (const page of pages) addPage(totals, page, place);
  const { events, key, last } = totals;
  for (const [no, { sums }] of fresh) {
    events[no] = (events[no] ?? 0) + (sums[U.events] ?? 0);
    key[no] = (key[no] ?? 0) + (sums[place] ?? 0);
    last[no] = Math.max(last[no] ?? 0, sums[U.last] ?? 0);
  }
  if (place === U.last) key.set(last);
  return totals;
}

/** Columns of a page, copied here first, because a loop over arrays of four types is ten times slower. */
const [counts, keys, lasts] = [0, 1, 2].map(() => new Float64Array(PAGE_USERS)) as [
  Float64Array,
  Float64Array,
  Float64Array,
];

function addPage({ events, key, last }: Totals, { page, day, slots, columns }: DayPage, place: number): void {
  counts.set(columns[U.events] ?? []);
  keys.set(columns[place] ?? []);
  lasts.set(columns[U.last] ?? []);
  const [base, start] = [page * PAGE_USERS, day * DAY_MS];
  for (let i = 0; i < slots.length; i++) {
    const no = base + (slots[i] as number);
    events[no] = (events[no] as number) + (counts[i] as number);
    key[no] = (key[no] as number) + (keys[i] as number);
    const seen = start + (lasts[i] as number);
    if (seen > (last[no] as number)) last[no] = seen;
  }
}

/**
 * The first users with events in sort order, and the total number of users.
 * @param limit maximum number of users
 * @param after position to start after
 */
export function firstRanks(
  { events, key, last }: Totals,
  isWanted: (no: number) => boolean,
  { limit, after, desc }: { readonly limit: number; readonly after: Rank | null; readonly desc: boolean },
): { readonly ranks: Rank[]; readonly total: number } {
  const compare = byRank(desc);
  const ranks: Rank[] = [];
  let total = 0;
  for (let no = 0; no < events.length; no++) {
    if ((events[no] as number) <= 0 || !isWanted(no)) continue;
    total++;
    const rank = { key: key[no] as number, last: last[no] as number, no };
    const worst = ranks[limit - 1];
    if (worst !== undefined && compare(rank, worst) > 0) continue;
    if (after !== null && compare(rank, after) <= 0) continue;
    let place = ranks.length;
    while (place > 0 && compare(rank, ranks[place - 1] as Rank) < 0) place--;
    ranks.splice(place, 0, rank);
    if (ranks.length > limit) ranks.pop();
  }
  return { ranks, total };
}

/** Encodes a position in an order as opaque text. */
export const encodeRank = (order: string, { key, last, no }: Rank): string =>
  encodePlace(order, { key, ts: last, id: String(no) });

/** Decodes a cursor of `encodeRank`. @throws AppError 400 for anything else, and for one of another order */
export function decodeRank(order: string, cursor: string): Rank {
  const { key, ts, id } = decodePlace(order, cursor, (text) => /^\d{1,15}$/.test(text));
  return { key, last: ts, no: Number(id) };
}
