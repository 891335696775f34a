import type { SqlValue } from '../../../../../db/connection.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { addToBloom, type Bloom, createBloom, uuidHash } from '../rows/bloom.ts';
import { C, type EventColumn } from '../rows/row.ts';
import { addend, callSum } from '../rows/sums.ts';
import { type SessionPostings, sessionHash } from '../sessions/session-postings.ts';
import { U, USER_COLUMNS } from './user-page.ts';

/** Columns of `events` that are used. */
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

/** Contributions of a chunk's events (or of some of them) to user sums, session postings and the filter of ids. */
export type ChunkSums = {
  events: number;
  /** Filter of the chunk's event ids. */
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

/** Adds the event of a row; runs for every event. */
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

/** An id in wire form or in stored form. */
const bytesOf = (id: SqlValue | undefined): Uint8Array =>
  id instanceof Uint8Array ? id : new Uint8Array(id as ArrayBuffer);

/** The columns that are sums over calls. */
const CALL_SUMS = USER_COLUMNS.flatMap((name, place) =>
  name === 'events' || name === 'first' || name === 'last' ? [] : { place, addendOf: addend(name) },
);

/** Adds a row to its user's sums. `weight` -1 subtracts it, except its time. */
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
  for (const { place, addendOf } of CALL_SUMS) addTo(own, place, weight * addendOf(row));
}

function addTo(sums: number[], place: number, value: number): void {
  sums[place] = (sums[place] as number) + value;
}

const NOTHING = USER_COLUMNS.map((name) => (name === 'first' ? DAY_MS : 0));

/** A user's sums on a day, to add to. */
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

/**
 * The user sums as SQL over `events`, in the order of `USER_COLUMNS`: equal to those of `addToUsers`, except that
 * times are epoch milliseconds.
 */
export const USER_SUMS_SQL = USER_COLUMNS.map((name) => {
  if (name === 'events') return 'count(*)';
  if (name === 'first') return 'min(ts)';
  return name === 'last' ? 'max(ts)' : callSum(name);
}).join(', ');
