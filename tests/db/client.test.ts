import { afterAll, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { openControlDb } from '../../src/db/client.ts';
import { openWriteConnection, runStatement } from '../../src/db/connection.ts';
import { openFolder } from '../helpers/folder.ts';

const folder = openFolder();
const path = folder.path('control.db');
const connection = openWriteConnection(path);
connection.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('first')");
const written: string[] = [];
const control = openControlDb(path, async (statements) => {
  written.push(...statements.map((statement) => statement.sql));
  return statements.map((statement) => runStatement(connection, statement));
});
afterAll(() => {
  control.close();
  connection.close();
  folder.remove();
});

test.each([
  ['SELECT text FROM notes'],
  ['  with named AS (SELECT text FROM notes) SELECT text FROM named'],
  ['-- why\nWITH RECURSIVE named AS (SELECT text FROM notes) SELECT text FROM named'],
  ["/* insert */ SELECT text FROM notes WHERE text <> 'delete'"],
])('%s does not go to the writer', async (text) => {
  written.length = 0;
  expect(await control.db.all<{ text: string }>(sql.raw(text))).toEqual([
    expect.objectContaining({ text: 'first' }),
  ]);
  expect(written).toEqual([]);
});

test.each([
  ["INSERT INTO notes VALUES ('second')"],
  ["WITH named AS (SELECT 'third' AS text) INSERT INTO notes SELECT text FROM named"],
  ["with named AS (SELECT 'third' AS text)\ndelete FROM notes WHERE text IN (SELECT text FROM named)"],
  ["WITH named(text) AS (SELECT 'second') UPDATE notes SET text = 'x' WHERE text IN named RETURNING text"],
])('%s goes to the writer', async (text) => {
  written.length = 0;
  await control.db.run(sql.raw(text));
  expect(written).toEqual([text]);
});
