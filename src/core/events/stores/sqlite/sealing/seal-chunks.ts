import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import type { Chunks } from '../rows/chunks.ts';
import { C } from '../rows/row.ts';
import {
  addToChunkSums,
  addToUsers,
  type ChunkSums,
  createChunkSums,
  userSums,
} from '../users/chunk-sums.ts';
import { createUserDays, type UserDays } from '../users/user-days.ts';
import { U } from '../users/user-page.ts';
import { openSealTables, type SealTables } from './seal-tables.ts';
import { createSeenChunks, type SeenChunks } from './seen-chunks.ts';

/**
 * Sums users and lists sessions and event ids a chunk at a time: ids arrive in random order, so updating an index per
 * event would dirty a page each. Readers take unsealed data from the rows; `chunk_seals` records the exact boundary.
 */
export type Seals = {
  /** Counts rows that were stored. */
  add(project: number, rows: readonly SqlValue[][]): void;
  /**
   * Applies a change of stored rows: subtracts (`weight` -1) or adds them. Call it in the transaction of the change,
   * after everything that can fail.
   */
  change(rows: readonly SqlValue[][], weight: 1 | -1): void;
  /** Applies a pure cost change of a user's calls on a day. `chunk` is the chunk of their rows. */
  changeCost(calls: CallsOfUser, costNano: number, unpriced: number): void;
  /**
   * Seals a project's oldest unsealed chunk if it is full or has an event before an instant (epoch milliseconds). A
   * sealed chunk accepts no more rows. Returns false if there was none to seal.
   */
  sealNext(project: number, before: number | null): boolean;
  /** Clears cached user numbers, because users were renamed. */
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

/** Chunks without sums in memory that a commit seals; the job seals the rest. */
const CATCH_UP = 2;

/** The writer's sealing state while the connection is open. */
type Sealer = {
  readonly tables: SealTables;
  readonly chunks: Chunks;
  readonly userDays: UserDays;
  readonly seen: SeenChunks;
  /** The newest sealed chunk by project, cached on first use. */
  readonly seals: Map<number, number>;
  /** Changes of rows in sealed chunks since the last flush, by project. */
  readonly corrections: Map<number, ChunkSums>;
  /** Projects with a chunk that became full since the last flush. */
  readonly filled: Set<number>;
};

export function createSeals(connection: Connection, chunks: Chunks): Seals {
  const sealer: Sealer = {
    tables: openSealTables(connection),
    chunks,
    userDays: createUserDays(connection),
    seen: createSeenChunks(),
    seals: new Map(),
    corrections: new Map(),
    filled: new Set(),
  };
  return {
    add: (project, rows) => addRows(sealer, project, rows),
    change(rows, weight) {
      for (const row of rows) {
        const sums = changesOf(sealer, row[C.project] as number, row[C.chunk] as number);
        if (sums !== null) addToUsers(sums, row, weight);
      }
    },
    changeCost: (calls, costNano, unpriced) => changeCost(sealer, calls, { costNano, unpriced }),
    sealNext(project, before) {
      try {
        return sealNext(sealer, project, before);
      } catch (error) {
        // Its writes are rolled back, including new user numbers.
        discard(sealer);
        throw error;
      }
    },
    forgetUsers: () => sealer.userDays.forget(),
    flush: () => flush(sealer),
    discard: () => discard(sealer),
  };
}

function addRows({ seen, chunks, filled }: Sealer, project: number, rows: readonly SqlValue[][]): void {
  const chunk = rows[0]?.[C.chunk];
  if (typeof chunk !== 'number') return;
  const sums = seen.touch(project, chunk);
  for (const row of rows) addToChunkSums(sums, row);
  if (chunks.isFull(project, chunk)) filled.add(project);
}

/** The sums that a change of stored rows must update; null if sealing will read the rows later. */
function changesOf(sealer: Sealer, project: number, chunk: number): ChunkSums | null {
  if (chunk > sealOf(sealer, project)) return sealer.seen.find(project, chunk);
  const sums = sealer.corrections.get(project) ?? createChunkSums();
  sealer.corrections.set(project, sums);
  return sums;
}

function changeCost(
  sealer: Sealer,
  { project, chunk, day, userId }: CallsOfUser,
  { costNano, unpriced }: { costNano: number; unpriced: number },
): void {
  const sums = changesOf(sealer, project, chunk);
  if (sums === null) return;
  const own = userSums(sums, userId, day);
  own[U.cost_nano] = (own[U.cost_nano] ?? 0) + costNano;
  own[U.unpriced] = (own[U.unpriced] ?? 0) + unpriced;
}

function sealOf({ seals, tables }: Sealer, project: number): number {
  const known = seals.get(project);
  if (known !== undefined) return known;
  const seal = tables.readSeal(project);
  seals.set(project, seal);
  return seal;
}

function sealNext(sealer: Sealer, project: number, before: number | null): boolean {
  const { tables, chunks, seen } = sealer;
  const next = tables.nextChunk(project, sealOf(sealer, project));
  if (next === null) return false;
  const { chunk, events, first } = next;
  if (!chunks.isFull(project, chunk)) {
    if (before === null || first >= before) return false;
    chunks.close(project);
  }
  const sums = seen.findWhole(project, chunk, events) ?? tables.readSums(project, chunk);
  seal(sealer, project, { chunk, sums });
  return true;
}

/** A chunk with the sums of all its events. */
type Whole = { readonly chunk: number; readonly sums: ChunkSums };

function seal(sealer: Sealer, project: number, { chunk, sums }: Whole): void {
  const { tables, userDays, seals, seen } = sealer;
  userDays.add(project, sums.users);
  if (sums.ids !== null) tables.writeFilter(project, chunk, sums.ids);
  if (sums.sessions.hashes.length > 0) tables.writeSessions(project, chunk, sums.sessions);
  tables.writeSeal(project, chunk);
  seals.set(project, chunk);
  seen.drop(project, chunk);
}

function flush(sealer: Sealer): void {
  const { corrections, filled, userDays } = sealer;
  for (const [project, { users }] of corrections) userDays.add(project, users);
  corrections.clear();
  for (const project of filled) sealFull(sealer, project);
  filled.clear();
}

/** Seals full chunks in order of arrival. */
function sealFull(sealer: Sealer, project: number): void {
  const { tables, chunks, seen } = sealer;
  for (let left = CATCH_UP; ; ) {
    const next = tables.nextChunk(project, sealOf(sealer, project));
    if (next === null || !chunks.isFull(project, next.chunk)) return;
    const sums = seen.findWhole(project, next.chunk, next.events);
    if (sums === null && left-- === 0) return;
    const { chunk } = next;
    seal(sealer, project, { chunk, sums: sums ?? tables.readSums(project, chunk) });
  }
}

function discard({ seals, seen, corrections, filled, userDays }: Sealer): void {
  seals.clear();
  seen.clear();
  corrections.clear();
  filled.clear();
  userDays.forget();
}
