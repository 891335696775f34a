import { afterAll, expect, test } from 'bun:test';
import { chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { takeWriteLock } from '../../src/db/lock.ts';
import { openFolder } from '../helpers/folder.ts';

const folder = openFolder();
afterAll(() => folder.remove());

test('one process holds the lock, which needs no room on the disk', () => {
  const path = folder.path('ledger.db');
  const held = takeWriteLock(path);
  expect([held === null, takeWriteLock(path)]).toEqual([false, null]);
  expect([statSync(`${path}.lock`).size, existsSync(`${path}.lock-journal`)]).toEqual([0, false]);
  held?.release();
  const next = takeWriteLock(path);
  expect(next).not.toBeNull();
  next?.release();
});

test('a lock that cannot be made names its folder, and one that cannot be opened itself', () => {
  expect(() => takeWriteLock(folder.path('none/ledger.db'))).toThrow(/none\/ledger\.db cannot be opened/);
  mkdirSync(folder.path('taken.db.lock'));
  expect(() => takeWriteLock(folder.path('taken.db'))).toThrow(/taken\.db\.lock cannot be opened/);
});

test.skipIf(process.geteuid?.() !== 0)('a command of root leaves the lock to the owner of the file', () => {
  const path = folder.path('owned.db');
  writeFileSync(path, '');
  chownSync(path, 65_534, 65_534);
  takeWriteLock(path)?.release();
  expect(statSync(`${path}.lock`)).toMatchObject({ uid: 65_534, gid: 65_534 });
  // Not what a link in the owner's folder points to.
  const [other, own] = [folder.path('linked.db'), folder.path('own')];
  for (const file of [other, own]) writeFileSync(file, '');
  chownSync(other, 65_534, 65_534);
  symlinkSync(own, `${other}.lock`);
  takeWriteLock(other)?.release();
  expect(statSync(own).uid).toBe(0);
});
