import { afterAll, expect, test } from 'bun:test';
import { migrations } from '../../migrations/index.ts';
import { readUserDays } from '../../src/core/events/stores/sqlite/users/get-user.ts';
import { openDb } from '../../src/db/open.ts';
import { openReadSession } from '../../src/db/reader.ts';
import { sqlOp } from '../../src/db/sql-op.ts';
import { tables } from '../../src/features.ts';
import { openFolder } from '../helpers/folder.ts';

const folder = openFolder();
afterAll(() => folder.remove());

/** A page of one user, as it was written when sums had nine columns of a byte each. */
const OLD_PAGE = Uint8Array.from([
  1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 9, 8, 1, 2, 77, 50, 5, 3, 4,
]);

test('an upgrade keeps the sums of users whose rows are deleted, and the times that they cover', async () => {
  const path = folder.path('old.db');
  const before = migrations.filter(({ name }) => name < '0021');
  const old = openDb({ path, migrations: before, tables, writes: { ops: [sqlOp] }, now: 0 });
  const rows = [
    "INSERT INTO organizations (id, name, plan, created_at) VALUES ('org', 'Acme', 'free', 0)",
    "INSERT INTO projects (no, id, organization_id, name, created_at) VALUES (1, 'prj', 'org', 'p', 0)",
    "INSERT INTO event_users (project, no, user_id) VALUES (1, 0, 'ada')",
    `INSERT INTO user_days (project, page, span, day, sums) VALUES (1, 0, 1, 20000, x'${OLD_PAGE.toHex()}')`,
    "INSERT INTO session_chunks (project, chunk, bits, postings) VALUES (1, 7, x'00', x'00')",
    'INSERT INTO chunk_seals (project, chunk) VALUES (1, 7)',
  ];
  for (const sql of rows) await old.writer.write(sqlOp, [{ sql, args: [] }]);
  await old.close();
  await openDb({ path, migrations, tables, writes: { ops: [sqlOp] }, now: 0 }).close();

  const session = openReadSession(path, tables);
  const reader = session.open([1]);
  const [day] = readUserDays(reader, 'ada');
  expect(day?.figures).toEqual({
    events: 9,
    requests: 8,
    errors: 1,
    unpriced: 2,
    cost_nano: 77,
    input_tokens: 50,
    output_tokens: 5,
    first: 20_000 * 86_400_000 + 3,
    last: 20_000 * 86_400_000 + 4,
    cache_read_tokens: 0,
  });
  expect(reader.rows('SELECT chunk FROM session_chunks')).toEqual([[7]]);
  expect(reader.rows('SELECT chunk FROM chunk_seals')).toEqual([[7]]);
  session.close();
});
