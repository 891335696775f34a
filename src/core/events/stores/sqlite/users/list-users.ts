import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { UserList, UserSort, UsersQuery } from '../../../read-queries.ts';
import type { Window } from '../../../selection.ts';
import { orderName } from '../../shared/order/rank.ts';
import { withLabels } from '../labels/label-filter.ts';
import { refuseLost } from '../metrics/gaps.ts';
import { countEvents } from '../queries/count-events.ts';
import type { ChunkRef } from '../scan/chunk.ts';
import { batchesOf } from '../scan/open-batches.ts';
import { chunksOf } from '../scan/open-chunks.ts';
import { firstSeen } from './first-seen.ts';
import { addUp, decodeRank, encodeRank, firstRanks } from './rank-users.ts';
import {
  addFromPage,
  type DayPage,
  type FreshUser,
  noSums,
  readUserPages,
  toFigures,
} from './read-user-pages.ts';
import { scanUsers } from './scan-users.ts';
import { countNumbers, numbersOf } from './user-numbers.ts';
import { mergeSums, PAGE_USERS, U } from './user-page.ts';

const SORT_PLACES: Readonly<Record<UserSort, number>> = {
  cost: U.cost_nano,
  requests: U.requests,
  errors: U.errors,
  errorRate: U.errors,
  input: U.input_tokens,
  output: U.output_tokens,
  lastSeen: U.last,
};

/** Maximum number of events to scan for filters, because user sums support only days. */
const MAX_EVENTS = 500_000;

/**
 * The users of a project with the sums of their events on some days: sealed events from the user sums, the others
 * from a scan. The order is not stable: a user whose sums change between two pages may be on both or on none.
 * Throws 400 for an invalid cursor, and for filters over too many events.
 */
export function listUsers(reader: Reader, query: UsersQuery): UserList {
  const { window, search, sort, desc, limit } = query;
  const [project] = reader.projects;
  if (project === undefined) return { users: [], nextCursor: null, total: 0 };
  const order = orderName({ by: sort, desc });
  const after = query.cursor === null ? null : decodeRank(order, query.cursor);
  const isFiltered = Object.values(query.filters).some((filter) => filter !== undefined);
  const known = countNumbers(reader, project);
  const pages = isFiltered ? [] : readPages(reader, project, known, window);
  const users = isFiltered
    ? readFiltered(reader, project, query)
    : freshUsers(reader, project, batchesOf(reader, project, window), query);
  const fresh = byNumber(users, known);
  const size = known + users.length;
  const totals = addUp(pages, fresh, { size, place: SORT_PLACES[sort] });
  if (sort === 'errorRate') perCall(totals.key, addUp(pages, fresh, { size, place: U.requests }).key);
  const isWanted = matcher(reader, project, search, fresh);
  const { ranks, total } = firstRanks(totals, isWanted, { limit: limit + 1, after, desc });
  const shown = ranks.slice(0, limit);
  const last = shown.at(-1);
  const named = shown.map(({ no }) => ({ no, userId: fresh.get(no)?.userId ?? nameOf(reader, project, no) }));
  const firsts = firstSeen(reader, project, named, isFiltered ? window.to : window.from);
  return {
    users: named.map(({ no, userId }) => {
      const figures = toFigures(addAll(pages, fresh.get(no), no));
      return { userId, figures, firstSeen: Math.min(figures.first, firsts.get(no) ?? figures.first) };
    }),
    nextCursor: ranks.length > limit && last !== undefined ? encodeRank(order, last) : null,
    total,
  };
}

/** Divides the failed calls of each user by their calls. */
function perCall(errors: Float64Array, requests: Float64Array): void {
  for (let no = 0; no < errors.length; no++)
    errors[no] = (errors[no] as number) / Math.max(1, requests[no] as number);
}

function readPages(reader: Reader, project: number, known: number, { from, to }: Window): DayPage[] {
  const days = { from: Math.floor(from / DAY_MS), to: Math.ceil(to / DAY_MS) };
  const count = Math.ceil(known / PAGE_USERS);
  return Array.from({ length: count }, (_, page) => readUserPages(reader, project, page, days)).flat();
}

function readFiltered(reader: Reader, project: number, query: UsersQuery): FreshUser[] {
  const { window } = query;
  const events = countEvents(reader, { filters: {}, calls: false }, window);
  if (events > MAX_EVENTS) {
    const most = MAX_EVENTS.toLocaleString('en-US');
    throw badRequest(
      `start: with filters the days may hold at most ${most} events, not ${events.toLocaleString('en-US')}; choose fewer days`,
    );
  }
  refuseLost(reader, project, window);
  return freshUsers(reader, project, chunksOf(reader, project, window), query);
}

/** Sums of users over the matching events of chunks, in the order of their ids. */
function freshUsers(
  reader: Reader,
  project: number,
  refs: readonly ChunkRef[],
  { filters: given, window, search }: UsersQuery,
): FreshUser[] {
  const { filters } = withLabels(reader, { filters: given, calls: false });
  const found = scanUsers(refs, { filters, calls: false }, window);
  const ids = [...found.keys()].filter((id) => id.startsWith(search)).sort();
  const numbers = numbersOf(reader, project, ids);
  return ids.map((userId) => ({
    no: numbers.get(userId) ?? null,
    userId,
    sums: found.get(userId) ?? noSums(),
  }));
}

/** Users without a number get one after all others, in the order of their ids. */
function byNumber(users: readonly FreshUser[], known: number): Map<number, FreshUser> {
  let next = known;
  return new Map(users.map((user) => [user.no ?? next++, user]));
}

function matcher(
  reader: Reader,
  project: number,
  search: string,
  fresh: ReadonlyMap<number, FreshUser>,
): (no: number) => boolean {
  if (search === '') return () => true;
  const rows = reader.rows('SELECT no FROM event_users WHERE project = ? AND user_id >= ? AND user_id < ?', [
    project,
    search,
    `${search}\u{10ffff}`,
  ]);
  const wanted = new Set(rows.map(([no]) => Number(no)));
  for (const no of fresh.keys()) wanted.add(no);
  return (no) => wanted.has(no);
}

function nameOf(reader: Reader, project: number, no: number): string {
  const [row] = reader.rows('SELECT user_id FROM event_users WHERE project = ? AND no = ?', [project, no]);
  return String(row?.[0] ?? '');
}

function addAll(pages: readonly DayPage[], fresh: FreshUser | undefined, no: number): number[] {
  const sums = noSums();
  for (const page of pages) addFromPage(sums, page, no);
  if (fresh !== undefined) mergeSums(sums, fresh.sums);
  return sums;
}
