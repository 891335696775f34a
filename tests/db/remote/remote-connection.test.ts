import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  type Connection,
  openWriteConnection,
  runStatement,
  sqliteCode,
} from '../../../src/db/connection.ts';
import { brokenConstraint } from '../../../src/db/constraint.ts';
import { LEASE_TABLE, takeLease } from '../../../src/db/remote/lease.ts';
import { openRemoteConnection } from '../../../src/db/remote/remote-connection.ts';
import { openFolder } from '../../helpers/folder.ts';
import { type LibsqlThread, startLibsqlThread } from '../../libsql/start.ts';

const folder = openFolder();
const TOKEN = 'a token';
let server: LibsqlThread;
let remote: Connection;
const place = (holder: string | null = null) => ({ url: server.url, token: TOKEN, holder });

beforeAll(async () => {
  server = await startLibsqlThread(folder.path('server.db'), TOKEN);
  remote = openRemoteConnection(place());
  remote.exec('CREATE TABLE parents (id INTEGER PRIMARY KEY)');
  remote.exec(
    'CREATE TABLE rows (id TEXT PRIMARY KEY, n INTEGER NOT NULL, any, parent INTEGER REFERENCES parents (id), CHECK (n < 100))',
  );
});
beforeEach(() => remote.exec('DELETE FROM rows'));
afterAll(async () => {
  remote.close();
  await server.stop();
  folder.remove();
});

const insert = (id: string, n: number) =>
  remote.prepare('INSERT INTO rows (id, n) VALUES (?, ?)').run([id, n]);
const ids = (): unknown[] =>
  remote.prepare('SELECT id FROM rows ORDER BY id').raw(true).all([]).flat() as unknown[];
const failure = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
};

test('whole numbers arrive as integers, others as they are', () => {
  const [row] = remote
    .prepare("SELECT typeof(?) AS a, typeof(?) AS b, json_object('n', ?) AS c, ? AS d, ? AS e, ? AS f")
    .all([5, 1.5, 5, Number.MAX_SAFE_INTEGER, null, new Uint8Array([1, 2])]) as Record<string, unknown>[];
  expect(row).toMatchObject({ a: 'integer', b: 'real', c: '{"n":5}', d: Number.MAX_SAFE_INTEGER, e: null });
  expect(new Uint8Array(row?.f as ArrayBuffer)).toEqual(new Uint8Array([1, 2]));
  remote.prepare('INSERT INTO rows (id, n) VALUES (?, 1)').run([7]);
  expect(ids()).toEqual(['7']);
});

test('a transaction is committed or rolled back as a whole', () => {
  remote.exec('BEGIN IMMEDIATE');
  expect(remote.inTransaction).toBe(true);
  insert('a', 1);
  remote.exec('ROLLBACK');
  expect(ids()).toEqual([]);
  remote.exec('BEGIN IMMEDIATE');
  insert('b', 1);
  insert('c', 1);
  remote.exec('COMMIT');
  expect(remote.inTransaction).toBe(false);
  expect(ids()).toEqual(['b', 'c']);
});

test('a savepoint is undone alone, also as the last thing of a transaction', () => {
  remote.exec('BEGIN IMMEDIATE');
  for (const [id, kept] of [
    ['a', true],
    ['b', false],
    ['c', true],
    ['d', false],
  ] as const) {
    remote.exec('SAVEPOINT request');
    insert(id, 1);
    if (!kept) remote.exec('ROLLBACK TO request');
    remote.exec('RELEASE request');
  }
  remote.exec('COMMIT');
  expect(ids()).toEqual(['a', 'c']);
});

test('a write with its savepoint is two requests', async () => {
  const before = await server.requests();
  remote.exec('BEGIN IMMEDIATE');
  remote.exec('SAVEPOINT request');
  insert('a', 1);
  remote.exec('RELEASE request');
  remote.exec('COMMIT');
  expect((await server.requests()) - before).toBe(2);
});

describe('a broken constraint is named as that of a file', () => {
  const statements = {
    unique: "INSERT INTO rows (id, n) VALUES ('a', 1), ('a', 2)",
    not_null: "INSERT INTO rows (id) VALUES ('a')",
    check: "INSERT INTO rows (id, n) VALUES ('a', 100)",
    foreign_key: "INSERT INTO rows (id, n, parent) VALUES ('a', 1, 17)",
  } as const;
  test.each(Object.entries(statements))('%s', (kind, sql) => {
    const file = openWriteConnection(folder.path(`${kind}.db`));
    file.exec('CREATE TABLE parents (id INTEGER PRIMARY KEY)');
    const [[table]] = remote
      .prepare("SELECT sql FROM sqlite_schema WHERE name = 'rows'")
      .raw(true)
      .all([]) as [[string]];
    file.exec(table);
    const expected = failure(() => runStatement(file, { sql, args: [] })) as Error;
    file.close();
    const error = failure(() => runStatement(remote, { sql, args: [] })) as Error;
    remote.exec('BEGIN IMMEDIATE');
    const within = failure(() => runStatement(remote, { sql, args: [] })) as Error;
    remote.exec('ROLLBACK');
    expect([brokenConstraint(within), within.message]).toEqual([brokenConstraint(error), error.message]);
    expect(brokenConstraint(error)?.kind).toBe(kind as never);
    expect(brokenConstraint(error)).toEqual(brokenConstraint(expected));
    expect(error.message).toBe(expected.message);
  });
});

test('without an answer the error says so, and the next transaction works', async () => {
  remote.exec('BEGIN IMMEDIATE');
  insert('a', 1);
  await server.pause();
  const error = failure(() => insert('b', 1));
  expect(sqliteCode(error)).toBe('SQLITE_CANTOPEN_REMOTE');
  remote.exec('ROLLBACK');
  expect(remote.inTransaction).toBe(false);
  await server.resume();
  insert('c', 1);
  expect(ids()).toEqual(['c']);
});

test('a wrong token is refused', () => {
  const stranger = openRemoteConnection({ ...place(), token: 'another' });
  expect(failure(() => stranger.prepare('SELECT 1').all([]))).toMatchObject({
    message: expect.stringContaining('401'),
  });
  stranger.close();
});

test('a process whose lease was taken over can no longer write', () => {
  remote.exec(LEASE_TABLE);
  expect(takeLease(remote, { holder: 'one', name: 'host one' })).toBeNull();
  expect(takeLease(remote, { holder: 'two', name: 'host two' })).toMatchObject({ name: 'host one' });
  const one = openRemoteConnection(place('one'));
  const write = () => {
    one.exec('BEGIN IMMEDIATE');
    try {
      one.prepare("INSERT INTO rows (id, n) VALUES ('x', 1)").run([]);
      one.exec('COMMIT');
    } catch (error) {
      one.exec('ROLLBACK');
      throw error;
    }
  };
  write();
  remote.exec('UPDATE server_lease SET ends_at = 0');
  remote.exec('DELETE FROM rows');
  // Nobody took it over: the lease still holds.
  write();
  remote.exec('UPDATE server_lease SET ends_at = 0');
  expect(takeLease(remote, { holder: 'two', name: 'host two' })).toBeNull();
  remote.exec('DELETE FROM rows');
  expect(sqliteCode(failure(write))).toBe('SQLITE_READONLY_LEASE');
  expect(ids()).toEqual([]);
  one.close();
});
