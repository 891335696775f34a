import { afterAll, expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { openReadConnection, openWriteConnection, sqliteCode } from '../../src/db/connection.ts';
import { openFolder } from '../helpers/folder.ts';

const folder = openFolder();
afterAll(() => folder.remove());

test('opening waits for a process that briefly locks the whole file', async () => {
  const path = folder.path('held.db');
  openWriteConnection(path).close();
  const script = `
    const connection = new (require('libsql'))(process.argv[1]);
    connection.exec('PRAGMA locking_mode = EXCLUSIVE');
    connection.exec('CREATE TABLE held (x)');
    console.log('held');
    setTimeout(() => connection.close(), 300); // For as long the lock is held.`;
  const holder = Bun.spawn([process.execPath, '-e', script, path], { cwd: import.meta.dir, stdout: 'pipe' });
  await holder.stdout.getReader().read();
  const connection = openWriteConnection(path);
  expect(connection.prepare('PRAGMA busy_timeout').raw(true).get()).toEqual([0]);
  expect(connection.prepare("SELECT name FROM sqlite_schema WHERE name = 'held'").all()).toHaveLength(1);
  connection.close();
  await holder.exited;
});

test.each([
  ['UNKNOWN_SQLITE_ERROR_1544', 'SQLITE_READONLY'],
  ['UNKNOWN_SQLITE_ERROR_8458', 'SQLITE_IOERR'],
  ['UNKNOWN_SQLITE_ERROR_1', ''],
  ['SQLITE_READONLY_DBMOVED', 'SQLITE_READONLY_DBMOVED'],
  ['EACCES', ''],
])('an error of the driver with the code %s counts as %p', (code, counted) => {
  expect(sqliteCode(Object.assign(new Error('no'), { code }))).toBe(counted);
});

test('a reader makes no file, and leaves the log of one that was moved away', () => {
  const path = folder.path('moved.db');
  writeFileSync(`${path}-wal`, 'the log');
  expect(() => openReadConnection(path)).toThrow(expect.objectContaining({ code: 'SQLITE_CANTOPEN' }));
  expect([existsSync(path), readFileSync(`${path}-wal`, 'utf8')]).toEqual([false, 'the log']);
});
