import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { C } from './row.ts';

/** Assigns each project's events to numbered chunks of about `CHUNK_EVENTS`, in order of arrival. */
export type Chunks = {
  /** Writes the number of the project's open chunk into the rows. */
  assign(project: number, rows: readonly SqlValue[][]): void;
  /** Counts rows that were stored. */
  add(project: number, rows: readonly SqlValue[][]): void;
  /** Whether a chunk accepts no more rows. */
  isFull(project: number, chunk: number): boolean;
  /** Closes a project's open chunk before it is full. */
  close(project: number): void;
  flush(): void;
  discard(): void;
};

/**
 * Small enough that an open chunk's index entries fill few pages; large enough that ten million events have few
 * chunks.
 */
export const CHUNK_EVENTS = 8_192;

type Chunk = { project: number; chunk: number; events: number; first: number; last: number };

export function createChunks(connection: Connection): Chunks {
  const readNewest = connection
    .prepare(
      `SELECT chunk, events, first_ts, last_ts FROM event_chunks WHERE project = ? ORDER BY chunk DESC LIMIT 1`,
    )
    .raw(true);
  const upsert = connection.prepare(
    `INSERT INTO event_chunks (project, chunk, events, first_ts, last_ts) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET events = excluded.events, first_ts = excluded.first_ts, last_ts = excluded.last_ts`,
  );
  const readSeal = connection.prepare('SELECT chunk FROM chunk_seals WHERE project = ?').raw(true);
  let open = new Map<number, Chunk>();
  /** Chunks changed since the last flush, including chunks that are now full. */
  let changed = new Set<Chunk>();

  function chunkOf(project: number): Chunk {
    const known = open.get(project);
    if (known !== undefined) return known;
    const [row] = readNewest.all([project]) as number[][];
    const [sealed] = readSeal.all([project]) as number[][];
    const [chunk = -1, events = 0, first, last] = row ?? [];
    // A sealed chunk accepts no more events, even if it was never full or retention has deleted it.
    const next = (sealed?.[0] ?? -1) + 1;
    const current = chunk < next ? emptyChunk(project, next) : { ...emptyChunk(project, chunk), events };
    if (chunk >= next && first !== undefined && last !== undefined) Object.assign(current, { first, last });
    open.set(project, current);
    return current;
  }

  return {
    assign(project, rows) {
      let current = chunkOf(project);
      if (current.events >= CHUNK_EVENTS) {
        current = emptyChunk(project, current.chunk + 1);
        open.set(project, current);
      }
      for (const row of rows) row[C.chunk] = current.chunk;
    },
    add(project, rows) {
      if (rows.length === 0) return;
      const current = chunkOf(project);
      current.events += rows.length;
      changed.add(current);
      for (const row of rows) {
        const ts = row[C.ts] as number;
        if (ts < current.first) current.first = ts;
        if (ts > current.last) current.last = ts;
      }
    },
    isFull(project, chunk) {
      const current = chunkOf(project);
      return current.chunk > chunk || current.events >= CHUNK_EVENTS;
    },
    close(project) {
      open.set(project, emptyChunk(project, chunkOf(project).chunk + 1));
    },
    flush() {
      for (const { project, chunk, events, first, last } of changed) {
        upsert.run([project, chunk, events, first, last]);
      }
      changed = new Set();
    },
    discard() {
      open = new Map();
      changed = new Set();
    },
  };
}

function emptyChunk(project: number, chunk: number): Chunk {
  return { project, chunk, events: 0, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
}
