import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { addToBloom, type Bloom, bloomHash, createBloom } from '../rows/bloom.ts';
import { EVENT_COLUMNS } from '../rows/row.ts';
import { encodePostings, type SessionPostings } from '../sessions/session-postings.ts';
import { addToChunkSums, type ChunkSums, createChunkSums, SUMMED_COLUMNS } from '../users/chunk-sums.ts';

/** A chunk of a project: its number, its number of events and the time of the first. */
export type ChunkLine = { readonly chunk: number; readonly events: number; readonly first: number };

/** Reads and writes of sealing. */
export type SealTables = {
  /** Number of the newest sealed chunk; -1 if there is none. */
  readSeal(project: number): number;
  writeSeal(project: number, chunk: number): void;
  /** The first chunk after a number. */
  nextChunk(project: number, after: number): ChunkLine | null;
  /** Sums the rows of a chunk. */
  readSums(project: number, chunk: number): ChunkSums;
  writeFilter(project: number, chunk: number, ids: Bloom): void;
  writeSessions(project: number, chunk: number, sessions: SessionPostings): void;
};

/** A row for `addToChunkSums`, with NULL in unused columns. */
const SUMMED_ROW = EVENT_COLUMNS.map((name) => (SUMMED_COLUMNS.has(name) ? name : 'NULL')).join(', ');

export function openSealTables(connection: Connection): SealTables {
  return { ...openSeals(connection), ...openLists(connection), readSums: openRows(connection) };
}

function openSeals(connection: Connection): Pick<SealTables, 'readSeal' | 'writeSeal' | 'nextChunk'> {
  const read = connection.prepare('SELECT chunk FROM chunk_seals WHERE project = ?').raw(true);
  const write = connection.prepare(
    'INSERT INTO chunk_seals (project, chunk) VALUES (?, ?) ON CONFLICT DO UPDATE SET chunk = excluded.chunk',
  );
  const next = connection
    .prepare(
      'SELECT chunk, events, first_ts FROM event_chunks WHERE project = ? AND chunk > ? ORDER BY chunk LIMIT 1',
    )
    .raw(true);
  return {
    readSeal: (project) => (read.all([project]) as number[][])[0]?.[0] ?? -1,
    writeSeal(project, chunk) {
      write.run([project, chunk]);
    },
    nextChunk(project, after) {
      const [row] = next.all([project, after]) as number[][];
      const [chunk, events = 0, first = 0] = row ?? [];
      return chunk === undefined ? null : { chunk, events, first };
    },
  };
}

function openLists(connection: Connection): Pick<SealTables, 'writeFilter' | 'writeSessions'> {
  const writeFilter = connection.prepare(
    `INSERT INTO event_filters (project, chunk, bits) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET bits = excluded.bits`,
  );
  const writeSessions = connection.prepare(
    `INSERT INTO session_chunks (project, chunk, bits, postings) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET bits = excluded.bits, postings = excluded.postings`,
  );
  return {
    writeFilter(project, chunk, ids) {
      writeFilter.run([project, chunk, ids]);
    },
    writeSessions(project, chunk, sessions) {
      const bits = createBloom();
      for (const hash of sessions.hashes) addToBloom(bits, bloomHash(hash));
      writeSessions.run([project, chunk, bits, encodePostings(sessions)]);
    },
  };
}

function openRows(connection: Connection): SealTables['readSums'] {
  const readRows = connection
    // Without the hint the planner scans the whole project.
    .prepare(`SELECT ${SUMMED_ROW} FROM events INDEXED BY events_trace WHERE project = ? AND chunk = ?`)
    .raw(true);
  return (project, chunk) => {
    const sums = createChunkSums();
    for (const row of readRows.all([project, chunk]) as SqlValue[][]) addToChunkSums(sums, row);
    return sums;
  };
}
