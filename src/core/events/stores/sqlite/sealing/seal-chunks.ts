import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { addToBloom, bloomHash, createBloom } from '../rows/bloom.ts';
import type { Chunks } from '../rows/chunks.ts';
import { C, EVENT_COLUMNS } from '../rows/row.ts';
import { encodePostings } from '../sessions/session-postings.ts';
import {
  addToChunkSums,
  addToUsers,
  type ChunkSums,
  createChunkSums,
  SUMMED_COLUMNS,
  userSums,
} from '../users/chunk-sums.ts';
import { createUserDays } from '../users/user-days.ts';
import { U } from '../users/user-page.ts';

/**
 * Adds up users and lists sessions and event ids a whole chunk of events at a time, because ids come in no
 * order: kept for each event they would dirty a page each. What is not sealed yet, readers take from the
 * rows; `chunk_seals` says exactly how far that is.
 */
export type Seals = {
  /** Counts rows that were stored. */
  add(project: number, rows: readonly SqlValue[][]): void;
  /**
   * Follows a change of stored rows: takes back what they added (`weight` -1), or adds what they add now.
   * To be called in the transaction of the change, after all in it that can fail.
   */
  change(rows: readonly SqlValue[][], weight: 1 | -1): void;
  /** The same where only what calls of a user on a day cost has changed. `chunk`: where their rows are. */
  changeCost(calls: CallsOfUser, costNano: number, unpriced: number): void;
  /**
   * Seals a project's oldest unsealed chunk if it is full, or has an event before an instant (epoch
   * milliseconds): then it takes no more. False: there was none.
   */
  sealNext(project: number, before: number | null): boolean;
  /** Forgets which number a user has: users have changed their names. */
  forgetUsers(): void;
  flush(): void;
  discard(): void;
};

/** `day`: days since the epoch. */
type CallsOfUser = {
  readonly project: number;
  readonly chunk: number;
  readonly day: number;
  readonly userId: string;
};

/** Chunks that a commit makes up for whose sums are not in memory; more are left to the job. */
const CATCH_UP = 2;
/** Chunks of a project whose sums are kept in memory while they fill up or wait, and such projects. */
const REMEMBERED = 8;
const PROJECTS = 64;

/** A row for `addToChunkSums`, with nothing in the columns that it does not look at. */
const SUMMED_ROW = EVENT_COLUMNS.map((name) => (SUMMED_COLUMNS.has(name) ? name : 'NULL')).join(', ');

export function createSeals(connection: Connection, chunks: Chunks): Seals {
  const readSeal = connection.prepare('SELECT chunk FROM chunk_seals WHERE project = ?').raw(true);
  const writeSeal = connection.prepare(
    'INSERT INTO chunk_seals (project, chunk) VALUES (?, ?) ON CONFLICT DO UPDATE SET chunk = excluded.chunk',
  );
  const nextChunk = connection
    .prepare(
      'SELECT chunk, events, first_ts FROM event_chunks WHERE project = ? AND chunk > ? ORDER BY chunk LIMIT 1',
    )
    .raw(true);
  const readRows = connection
    // By itself the planner reads the whole project.
    .prepare(`SELECT ${SUMMED_ROW} FROM events INDEXED BY events_trace WHERE project = ? AND chunk = ?`)
    .raw(true);
  const writeSessions = connection.prepare(
    `INSERT INTO session_chunks (project, chunk, bits, postings) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET bits = excluded.bits, postings = excluded.postings`,
  );
  const writeFilter = connection.prepare(
    `INSERT INTO event_filters (project, chunk, bits) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET bits = excluded.bits`,
  );
  const userDays = createUserDays(connection);
  let seals = new Map<number, number>();
  let seen = new Map<number, Map<number, ChunkSums>>();
  let corrections = new Map<number, ChunkSums>();
  /** Projects with a chunk that is full since the last flush. */
  let filled = new Set<number>();

  function sealOf(project: number): number {
    const known = seals.get(project);
    if (known !== undefined) return known;
    const [row] = readSeal.all([project]) as number[][];
    seals.set(project, row?.[0] ?? -1);
    return row?.[0] ?? -1;
  }

  function seal(project: number, chunk: number, sums: ChunkSums): void {
    userDays.add(project, sums.users);
    if (sums.ids !== null) writeFilter.run([project, chunk, sums.ids]);
    const { hashes } = sums.sessions;
    if (hashes.length > 0) {
      const bits = createBloom();
      for (const hash of hashes) addToBloom(bits, bloomHash(hash));
      writeSessions.run([project, chunk, bits, encodePostings(sums.sessions)]);
    }
    writeSeal.run([project, chunk]);
    seals.set(project, chunk);
    seen.get(project)?.delete(chunk);
  }

  /** What of a chunk was seen, if that is all of it. */
  function sumsInMemory(project: number, chunk: number, events: number): ChunkSums | null {
    const sums = seen.get(project)?.get(chunk);
    return sums?.events === events ? sums : null;
  }

  function readSums(project: number, chunk: number): ChunkSums {
    const sums = createChunkSums();
    for (const row of readRows.all([project, chunk]) as SqlValue[][]) addToChunkSums(sums, row);
    return sums;
  }

  function sealNext(project: number, before: number | null): boolean {
    const [next] = nextChunk.all([project, sealOf(project)]) as number[][];
    const [chunk, events = 0, first = 0] = next ?? [];
    if (chunk === undefined) return false;
    if (!chunks.isFull(project, chunk)) {
      if (before === null || first >= before) return false;
      chunks.close(project);
    }
    seal(project, chunk, sumsInMemory(project, chunk, events) ?? readSums(project, chunk));
    return true;
  }

  /** Seals what is full, in the order of arrival. */
  function follow(project: number): void {
    for (let left = CATCH_UP; ; ) {
      const [next] = nextChunk.all([project, sealOf(project)]) as number[][];
      const [chunk, events = 0] = next ?? [];
      if (chunk === undefined || !chunks.isFull(project, chunk)) return;
      const sums = sumsInMemory(project, chunk, events);
      if (sums === null && left-- === 0) return;
      seal(project, chunk, sums ?? readSums(project, chunk));
    }
  }

  function sumsOf(project: number, chunk: number): ChunkSums {
    const byChunk = seen.get(project) ?? new Map<number, ChunkSums>();
    seen.delete(project);
    seen.set(project, byChunk);
    const [quietest] = seen.keys();
    if (seen.size > PROJECTS && quietest !== undefined) seen.delete(quietest);
    const sums = byChunk.get(chunk) ?? createChunkSums();
    byChunk.set(chunk, sums);
    const [oldest] = byChunk.keys();
    if (byChunk.size > REMEMBERED && oldest !== undefined) byChunk.delete(oldest);
    return sums;
  }

  /** Where a change of stored rows is added up; null where they are read when their chunk is sealed. */
  function changesOf(project: number, chunk: number): ChunkSums | null {
    if (chunk > sealOf(project)) return seen.get(project)?.get(chunk) ?? null;
    const sums = corrections.get(project) ?? createChunkSums();
    corrections.set(project, sums);
    return sums;
  }

  function discard(): void {
    seals = new Map();
    seen = new Map();
    corrections = new Map();
    filled = new Set();
    userDays.forget();
  }

  return {
    add(project, rows) {
      const chunk = rows[0]?.[C.chunk];
      if (typeof chunk !== 'number') return;
      const sums = sumsOf(project, chunk);
      for (const row of rows) addToChunkSums(sums, row);
      if (chunks.isFull(project, chunk)) filled.add(project);
    },
    change(rows, weight) {
      for (const row of rows) {
        const sums = changesOf(row[C.project] as number, row[C.chunk] as number);
        if (sums !== null) addToUsers(sums, row, weight);
      }
    },
    changeCost({ project, chunk, day, userId }, costNano, unpriced) {
      const sums = changesOf(project, chunk);
      if (sums === null) return;
      const own = userSums(sums, userId, day);
      own[U.cost_nano] = (own[U.cost_nano] ?? 0) + costNano;
      own[U.unpriced] = (own[U.unpriced] ?? 0) + unpriced;
    },
    sealNext(project, before) {
      try {
        return sealNext(project, before);
      } catch (error) {
        // What it wrote is rolled back, users that it numbered included.
        discard();
        throw error;
      }
    },
    forgetUsers: () => userDays.forget(),
    flush() {
      for (const [project, { users }] of corrections) userDays.add(project, users);
      corrections = new Map();
      for (const project of filled) follow(project);
      filled = new Set();
    },
    discard,
  };
}
