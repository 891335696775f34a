import type { SqlValue } from '../../db/connection.ts';
import { DAY_MS } from '../../lib/time.ts';
import { COST_STATUSES, EVENT_STATUSES } from './contract.ts';
import { FAILED_STATUSES } from './event-filters.ts';
import { C, type EventColumn } from './row.ts';
import { type SessionPosting, sessionHash } from './session-postings.ts';
import { U, USER_COLUMNS } from './user-page.ts';

/** Columns of `events` that are looked at. */
export const SUMMED_COLUMNS: ReadonlySet<EventColumn> = new Set([
  'ts',
  'is_call',
  'status',
  'user_id',
  'session_id',
  'fresh_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_nano',
  'cost_status',
]);

/** What the events of a chunk, or some of them, add to the sums of users and say of sessions. */
export type ChunkSums = {
  events: number;
  /** By user id and day, in the order of `USER_COLUMNS`. */
  readonly users: Map<string, Map<number, number[]>>;
  readonly sessions: SessionPosting[];
};

export const createChunkSums = (): ChunkSums => ({ events: 0, users: new Map(), sessions: [] });

const UNPRICED = COST_STATUSES.indexOf('unpriced');
const FAILED: readonly boolean[] = EVENT_STATUSES.map((status) =>
  (FAILED_STATUSES as readonly string[]).includes(status),
);

/** Adds the event of a row; this runs for every one. */
export function addToChunkSums(sums: ChunkSums, row: readonly SqlValue[]): void {
  const sessionId = row[C.session_id];
  if (typeof sessionId === 'string') {
    sums.sessions.push({ hash: sessionHash(sessionId), ts: row[C.ts] as number });
  }
  addToUsers(sums, row, 1);
}

/** Adds what a row adds to its user. `weight` -1 takes back all but its time. */
export function addToUsers(sums: ChunkSums, row: readonly SqlValue[], weight: 1 | -1): void {
  sums.events += weight;
  const userId = row[C.user_id];
  if (typeof userId !== 'string') return;
  const ts = row[C.ts] as number;
  const day = Math.floor(ts / DAY_MS);
  const own = userSums(sums, userId, day);
  const inDay = ts - day * DAY_MS;
  if (inDay < (own[U.first] ?? 0)) own[U.first] = inDay;
  if (inDay > (own[U.last] ?? 0)) own[U.last] = inDay;
  const number = (place: number): number => (row[place] as number | null) ?? 0;
  const add = (place: number, value: number): void => {
    own[place] = (own[place] ?? 0) + weight * value;
  };
  add(U.events, 1);
  if (row[C.is_call] !== 1) return;
  const written = number(C.cache_write_tokens) + number(C.cache_write_1h_tokens);
  add(U.requests, 1);
  if (FAILED[row[C.status] as number]) add(U.errors, 1);
  if (row[C.cost_status] === UNPRICED) add(U.unpriced, 1);
  add(U.cost_nano, number(C.cost_nano));
  add(U.input_tokens, number(C.fresh_tokens) + number(C.cache_read_tokens) + written);
  add(U.output_tokens, number(C.output_tokens) + number(C.reasoning_tokens));
}

/** The sums of a user on a day, to be added to. */
export function userSums({ users }: ChunkSums, userId: string, day: number): number[] {
  let days = users.get(userId);
  if (days === undefined) {
    days = new Map();
    users.set(userId, days);
  }
  let own = days.get(day);
  if (own === undefined) {
    own = USER_COLUMNS.map(() => 0);
    own[U.first] = DAY_MS;
    days.set(day, own);
  }
  return own;
}

const FAILED_CODES = FAILED.flatMap((failed, code) => (failed ? code : [])).join(', ');

/**
 * The sums of users as SQL over `events`, in the order of `USER_COLUMNS`: each equals what `addToUsers`
 * adds, but the times are epoch milliseconds.
 */
export const USER_SUMS_SQL = [
  'count(*)',
  'total(is_call)',
  `total(is_call AND status IN (${FAILED_CODES}))`,
  `total(is_call AND cost_status = ${UNPRICED})`,
  'total(iif(is_call, cost_nano, 0))',
  'total(iif(is_call, fresh_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens, 0))',
  'total(iif(is_call, output_tokens + reasoning_tokens, 0))',
  'min(ts)',
  'max(ts)',
].join(', ');
