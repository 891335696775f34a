import { afterAll, beforeEach, expect, test } from 'bun:test';
import { type Connection, openWriteConnection } from '../../src/db/connection.ts';
import { applyMigrations, listMigrations, type Migration } from '../../src/db/migrate.ts';
import { openFolder } from '../helpers/folder.ts';

const folder = openFolder();
afterAll(() => folder.remove());
let connection: Connection;
beforeEach(() => {
  connection = openWriteConnection(folder.path(`${Bun.randomUUIDv7()}.db`));
});

const first: Migration = {
  name: '0000_a',
  sql: 'CREATE TABLE a (x)\n--> statement-breakpoint\nCREATE TABLE b (x)',
};
const second: Migration = { name: '0001_c', sql: 'CREATE TABLE c (x)' };
const tables = (): string[] =>
  (
    connection
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations' ORDER BY 1")
      .raw(true)
      .all() as string[][]
  ).flat();

test('applies what is missing, once', () => {
  expect(applyMigrations(connection, [first], 1)).toEqual(['0000_a']);
  expect(applyMigrations(connection, [first, second], 2)).toEqual(['0001_c']);
  expect(applyMigrations(connection, [first, second], 3)).toEqual([]);
  expect(tables()).toEqual(['a', 'b', 'c']);
  expect(listMigrations(connection, [first, second]).map((state) => state.appliedAt)).toEqual([1, 2]);
});

test('a migration that fails leaves nothing behind and can be applied again', () => {
  const broken = { ...second, sql: 'CREATE TABLE c (x);--> statement-breakpoint\nCREATE TABLE a (x)' };
  expect(() => applyMigrations(connection, [first, broken], 1)).toThrow();
  expect(tables()).toEqual(['a', 'b']);
  applyMigrations(connection, [first, second], 2);
  expect(tables()).toEqual(['a', 'b', 'c']);
});

test('refuses a file that is newer than the program', () => {
  applyMigrations(connection, [first, second], 1);
  expect(() => applyMigrations(connection, [first], 2)).toThrow(/0001_c.*newer spanledger/);
});

test('refuses a migration that was edited or slipped in between', () => {
  applyMigrations(connection, [first, second], 1);
  const edited = { ...second, sql: 'CREATE TABLE c (x, y)' };
  expect(() => applyMigrations(connection, [first, edited], 2)).toThrow(/0001_c was changed/);
  const late = { name: '0000_b', sql: 'CREATE TABLE d (x)' };
  expect(() => applyMigrations(connection, [first, late, second], 2)).toThrow(/0001_c/);
});
