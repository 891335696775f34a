import { afterAll, beforeEach, expect, test } from 'bun:test';
import { migrations } from '../../../../../../migrations/index.ts';
import {
  CHUNK_EVENTS,
  type Chunks,
  createChunks,
} from '../../../../../../src/core/events/stores/sqlite/rows/chunks.ts';
import { C, EVENT_COLUMNS } from '../../../../../../src/core/events/stores/sqlite/rows/row.ts';
import { type Connection, openWriteConnection, type SqlValue } from '../../../../../../src/db/connection.ts';
import { applyMigrations } from '../../../../../../src/db/migrate.ts';
import { openFolder } from '../../../../../helpers/folder.ts';

const folder = openFolder();
afterAll(() => folder.remove());
let connection: Connection;
let chunks: Chunks;
beforeEach(() => {
  connection = openWriteConnection(folder.path(`${Bun.randomUUIDv7()}.db`));
  applyMigrations(connection, migrations, 0);
  connection.exec("INSERT INTO organizations (id, name, plan, created_at) VALUES ('o', 'x', 'free', 0)");
  for (const no of [1, 2]) {
    connection.exec(
      `INSERT INTO projects (no, id, organization_id, name, created_at) VALUES (${no}, 'p${no}', 'o', 'x', 0)`,
    );
  }
  chunks = createChunks(connection);
});

const rowsAt = (from: number, count: number): SqlValue[][] =>
  Array.from({ length: count }, (_, i) => {
    const row: SqlValue[] = EVENT_COLUMNS.map(() => null);
    row[C.ts] = from + i;
    return row;
  });
/** Gives rows their chunk and counts them; their chunk. */
const put = (project: number, from: number, count: number): SqlValue | undefined => {
  const rows = rowsAt(from, count);
  chunks.assign(project, rows);
  chunks.add(project, rows);
  return rows[0]?.[C.chunk];
};
const stored = (): unknown[] =>
  connection.prepare('SELECT project, chunk, events, first_ts, last_ts FROM event_chunks').raw(true).all();

test('counts events and the times they span, by project', () => {
  put(1, 100, 10);
  put(1, 50, 5);
  put(2, 7, 1);
  chunks.flush();
  expect(stored()).toEqual([
    [1, 0, 15, 50, 109],
    [2, 0, 1, 7, 7],
  ]);
});

test('a full chunk is followed by another, and none is lost when both change before one commit', () => {
  expect(put(1, 0, CHUNK_EVENTS)).toBe(0);
  expect(put(1, 9_000, 10)).toBe(1);
  chunks.flush();
  expect(stored()).toEqual([
    [1, 0, CHUNK_EVENTS, 0, CHUNK_EVENTS - 1],
    [1, 1, 10, 9_000, 9_009],
  ]);
});

test('a batch that is refused when a chunk fills up does not affect the chunk', () => {
  put(1, 0, CHUNK_EVENTS);
  chunks.assign(1, rowsAt(9_000, 10));
  chunks.flush();
  expect(stored()).toEqual([[1, 0, CHUNK_EVENTS, 0, CHUNK_EVENTS - 1]]);
});

test('goes on where the file ends, after a rollback and after a restart', () => {
  put(1, 100, 10);
  chunks.flush();
  put(1, 500, 10);
  chunks.discard();
  put(1, 200, 1);
  chunks.flush();
  chunks = createChunks(connection);
  put(1, 300, 1);
  chunks.flush();
  expect(stored()).toEqual([[1, 0, 12, 100, 300]]);
});
