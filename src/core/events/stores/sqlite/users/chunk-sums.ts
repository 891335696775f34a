import type { SqlValue } from '../../../../../db/connection.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { COST_STATUSES, EVENT_STATUSES } from '../../../contract.ts';
import { addToBloom, type Bloom, createBloom, uuidHash } from '../rows/bloom.ts';
import { FAILED_STATUSES } from '../rows/event-filters.ts';
import { C, type EventColumn } from '../rows/row.ts';
import { type SessionPostings, sessionHash } from '../sessions/session-postings.ts';
import { U, USER_COLUMNS } from './user-page.ts';

/** Columns of `events` that are looked at. */
export const SUMMED_COLUMNS: ReadonlySet<EventColumn> = new Set([
  'ts',
  'event_id',
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

/** What the events of a chunk, or some of them, add to the sums of users and say of sessions and ids. */
export type ChunkSums = {
  events: number;
  /** Which event ids the chunk may hold. */
  ids: Bloom | null;
  /** By user id and day, in the order of `USER_COLUMNS`. */
  readonly users: Map<string, Map<number, number[]>>;
  readonly sessions: SessionPostings;
};

export const createChunkSums = (): ChunkSums => ({
  events: 0,
  ids: null,
  users: new Map(),
  sessions: { hashes: [], times: [] },
});

const UNPRICED = COST_STATUSES.indexOf('unpriced');
const FAILED: readonly boolean[] = EVENT_STATUSES.map((status) =>
  (FAILED_STATUSES as readonly string[]).includes(status),
);

/** Adds the event of a row; this runs for every one. */
export function addToChunkSums(sums: ChunkSums, row: readonly SqlValue[]): void {
  const sessionId = row[C.session_id];
  if (typeof sessionId === 'string') {
    sums.sessions.hashes.push(sessionHash(sessionId));
    sums.sessions.times.push(row[C.ts] as number);
  }
  sums.ids ??= createBloom();
  addToBloom(sums.ids, uuidHash(bytesOf(row[C.event_id])));
  addToUsers(sums, row, 1);
}

/** An id as a row has it on its way in, or as the store gives it back. */
const bytesOf = (id: SqlValue | undefined): Uint8Array =>
  id instanceof Uint8Array ? id : new Uint8Array(id as ArrayBuffer);

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
  addTo(own, U.events, weight);
  if (row[C.is_call] !== 1) return;
  addTo(own, U.requests, weight);
  if (FAILED[row[C.status] as number]) addTo(own, U.errors, weight);
  if (row[C.cost_status] === UNPRICED) addTo(own, U.unpriced, weight);
  addTo(own, U.cost_nano, weight * numberAt(row, C.cost_nano));
  for (const place of INPUT_TOKENS) addTo(own, U.input_tokens, weight * numberAt(row, place));
  addTo(own, U.output_tokens, weight * (numberAt(row, C.output_tokens) + numberAt(row, C.reasoning_tokens)));
  addTo(own, U.cache_read_tokens, weight * numberAt(row, C.cache_read_tokens));
}

const INPUT_TOKENS = [C.fresh_tokens, C.cache_read_tokens, C.cache_write_tokens, C.cache_write_1h_tokens];

const numberAt = (row: readonly SqlValue[], place: number): number => (row[place] as number | null) ?? 0;

function addTo(sums: number[], place: number, value: number): void {
  sums[place] = (sums[place] as number) + value;
}

const NOTHING = USER_COLUMNS.map((name) => (name === 'first' ? DAY_MS : 0));

/** The sums of a user on a day, to be added to. */
export function userSums({ users }: ChunkSums, userId: string, day: number): number[] {
  let days = users.get(userId);
  if (days === undefined) {
    days = new Map();
    users.set(userId, days);
  }
  let own = days.get(day);
  if (own === undefined) {
    own = [...NOTHING];
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
  'total(iif(is_call, cache_read_tokens, 0))',
].join(', ');
