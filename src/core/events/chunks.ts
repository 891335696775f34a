import type { Connection, SqlValue } from '../../db/connection.ts';
import { C } from './row.ts';

/** Numbers the events of each project in stretches of about `CHUNK_EVENTS`, in the order of arrival. */
export type Chunks = {
  /** Writes the number of the project's open chunk into the rows. */
  assign(project: number, rows: readonly SqlValue[][]): void;
  /** Counts rows that were stored. */
  add(project: number, rows: readonly SqlValue[][]): void;
  flush(): void;
  discard(): void;
};

/**
 * Small enough that the index entries of an open chunk fill few pages, large enough that ten million
 * events have few chunks to ask.
 */
const CHUNK_EVENTS = 8_192;

type Chunk = { chunk: number; events: number; first: number; last: number; changed: boolean };

const emptyChunk = (chunk: number): Chunk => ({
  chunk,
  events: 0,
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
  changed: false,
});

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
  let open = new Map<number, Chunk>();
  /** Written in `flush` only: in a request that is refused, they would be rolled back with it. */
  let full: { readonly project: number; readonly chunk: Chunk }[] = [];

  function chunkOf(project: number): Chunk {
    let current = open.get(project);
    if (current === undefined) {
      const [row] = readNewest.all([project]) as number[][];
      const [chunk = 0, events = 0, first = Number.POSITIVE_INFINITY, last = Number.NEGATIVE_INFINITY] =
        row ?? [];
      current = { chunk, events, first, last, changed: false };
      open.set(project, current);
    }
    return current;
  }

  function write(project: number, current: Chunk): void {
    if (current.changed) upsert.run([project, current.chunk, current.events, current.first, current.last]);
    current.changed = false;
  }

  return {
    assign(project, rows) {
      let current = chunkOf(project);
      if (current.events >= CHUNK_EVENTS) {
        full.push({ project, chunk: current });
        current = emptyChunk(current.chunk + 1);
        open.set(project, current);
      }
      for (const row of rows) row[C.chunk] = current.chunk;
    },
    add(project, rows) {
      if (rows.length === 0) return;
      const current = chunkOf(project);
      current.events += rows.length;
      current.changed = true;
      for (const row of rows) {
        const ts = row[C.ts] as number;
        if (ts < current.first) current.first = ts;
        if (ts > current.last) current.last = ts;
      }
    },
    flush() {
      for (const { project, chunk } of full) write(project, chunk);
      for (const [project, current] of open) write(project, current);
      full = [];
    },
    discard() {
      open = new Map();
      full = [];
    },
  };
}
