import { afterAll, expect, test } from 'bun:test';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import Libsql from 'libsql';
import { openFolder } from '../helpers/folder.ts';
import { openLedger } from './ledger.ts';

const ledger = await openLedger();
const folder = openFolder();
afterAll(() => {
  ledger.remove();
  folder.remove();
});

const OLD = `${import.meta.dir}/../db/fixtures/ledger-0.1.db.gz`;

test('a file of this version needs nothing', async () => {
  expect(await ledger.json('upgrade', '--check')).toMatchObject({ pending: [], tried: false });
});

test('a file of version 0.1 is upgraded as a copy, and nothing stays', async () => {
  const path = folder.path('old.db');
  const bytes = Bun.gunzipSync(await Bun.file(OLD).bytes());
  writeFileSync(path, bytes);
  const { code, stdout, stderr } = await ledger.run(['upgrade', '--check', path]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('is of version 0.1: run `spanledger upgrade')]);
  expect(stderr).toContain('the way back');
  expect(readFileSync(path).equals(Buffer.from(bytes))).toBe(true);
  expect(readdirSync(folder.path('.')).filter((name) => !/\.lock$|-wal$|-shm$/.test(name))).toEqual([
    'old.db',
  ]);
});

test('a file of a later version is refused with the time of the change and the way back', async () => {
  const path = folder.path('later.db');
  expect((await ledger.run(['backup', path])).code).toBe(0);
  const connection = new Libsql(path);
  connection.exec("INSERT INTO migrations VALUES ('9999_later', 'x', 1795408906744)");
  connection.close();
  const before = readFileSync(path);
  for (const words of [
    ['upgrade', '--check', path],
    ['serve', '--port', '0', '--db', path],
  ]) {
    const { code, stderr } = await ledger.run(words);
    expect([code, stderr]).toEqual([
      6,
      expect.stringMatching(
        /9999_later.*newer spanledger changed it at 2026-11-23 04:41 UTC[\s\S]*fix: .*backup made before/,
      ),
    ]);
  }
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a damaged file and wrong words are refused', async () => {
  const path = folder.path('cut.db');
  copyFileSync(ledger.path, path);
  writeFileSync(path, readFileSync(path).subarray(0, 9_000));
  expect((await ledger.run(['upgrade', '--check', path])).code).toBe(6);
  expect((await ledger.run(['upgrade', '--check', folder.path('none.db')])).code).toBe(6);
  expect((await ledger.run(['upgrade', path])).code).toBe(2);
  expect((await ledger.run(['upgrade', '--check', path, 'new.db'])).code).toBe(2);
});
