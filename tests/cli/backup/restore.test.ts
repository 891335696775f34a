import { afterAll, expect, test } from 'bun:test';
import { copyFileSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { takeWriteLock } from '../../../src/db/lock.ts';
import { openFolder } from '../../helpers/folder.ts';
import { initLedger, runCommand, startServer } from '../../helpers/server.ts';
import { storedEvents } from '../../helpers/stored-events.ts';

const folder = openFolder();
afterAll(() => folder.remove());

test('a file that a server has, or that one left when it was killed, is restored with what is in its log', async () => {
  const db = folder.path('ledger.db');
  const { apiKey } = await initLedger(db, 'ada@example.com', 'correct horse battery');
  const server = await startServer(db);
  const body = JSON.stringify({ provider: 'openai', model: 'gpt-4o', input_tokens: 1, output_tokens: 1 });
  const sent = { method: 'POST', headers: { 'x-api-key': apiKey }, body };
  expect((await fetch(`${server.url}/v1/ingest`, sent)).status).toBe(202);
  const restored = async (from: string, to: string): Promise<number> => {
    expect(await runCommand(['restore', from, '--db', to])).toMatchObject({ code: 0 });
    return storedEvents(to).length;
  };
  expect(await restored(db, folder.path('of-running.db'))).toBe(1);
  await server.end('SIGKILL');
  const moved = folder.path('elsewhere');
  mkdirSync(moved);
  for (const end of ['', '-wal']) copyFileSync(`${db}${end}`, `${moved}/ledger.db${end}`);
  expect(await restored(`${moved}/ledger.db`, folder.path('of-killed.db'))).toBe(1);
}, 120_000);

test('a second restore to one name is refused, and leaves the files of the first alone', async () => {
  const db = folder.path('source.db');
  await initLedger(db, 'ada@example.com', 'correct horse battery');
  const to = folder.path('twice.db');
  const first = takeWriteLock(to);
  writeFileSync(`${to}.part`, 'of the first');
  const refused = await runCommand(['restore', db, '--db', to]);
  expect(refused).toMatchObject({ code: 5 });
  expect(refused.stderr).toContain(`${to} is in use by another spanledger process`);
  expect(readFileSync(`${to}.part`, 'utf8')).toBe('of the first');
  first?.release();
  expect(await runCommand(['restore', db, '--db', to])).toMatchObject({ code: 0 });
  // A restore that fails leaves nothing, the lock included.
  const failed = folder.path('failed.db');
  expect(await runCommand(['restore', folder.path('none.db'), '--db', failed])).toMatchObject({ code: 3 });
  expect(existsSync(`${failed}.lock`)).toBe(false);
}, 120_000);

test('a backup clears away what a killed one left, in its folder and beside the file, and nothing younger', async () => {
  const db = folder.path('left.db');
  await initLedger(db, 'ada@example.com', 'correct horse battery');
  const copies = folder.path('copies');
  mkdirSync(copies);
  const names = ['spanledger-20260101T000000Z.db.part', 'spanledger-20260102T000000Z.db.part', 'other.part'];
  const parts = names.map((name) => `${copies}/${name}`);
  const sending = [`${db}.sending-1`, `${db}.sending-2.part`, `${db}.sending-3`];
  for (const path of [...parts, ...sending]) writeFileSync(path, 'left');
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const path of [parts[0], parts[2], sending[0], sending[1]]) utimesSync(path as string, old, old);
  expect(await runCommand(['backup', `${copies}/`, '--db', db])).toMatchObject({ code: 0 });
  expect(await runCommand(['backup', '-', '--db', db])).toMatchObject({ code: 0 });
  const kept = [...parts, ...sending].filter((path) => existsSync(path));
  expect(kept).toEqual([parts[1], parts[2], sending[2]] as string[]);
}, 120_000);
