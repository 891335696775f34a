import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { migrations } from '../../migrations/index.ts';
import { migrationStates, openDb, openDbForReading } from '../../src/db/open.ts';
import { tables } from '../../src/features.ts';
import { openFolder } from '../helpers/folder.ts';
import { runCommand } from '../helpers/server.ts';

/** Made by `init` of version 0.1, with two events, a refused line, a key and four audit entries. */
const FIXTURE = `${import.meta.dir}/fixtures/ledger-0.1.db.gz`;
const folder = openFolder();
const path = folder.path('made by 0.1 & kept?.db');
const bytes = Bun.gunzipSync(await Bun.file(FIXTURE).bytes());

beforeAll(async () => {
  await Bun.write(path, bytes);
});
afterAll(() => folder.remove());

const REFUSAL = /was made by spanledger 0\.1; make a file of this version from it: spanledger upgrade/;
/** The same with the remedy on a line of its own. */
const REFUSED_COMMAND =
  /was made by spanledger 0\.1\n {2}fix: Make a file of this version from it: spanledger upgrade/;
const expectUntouched = async (): Promise<void> => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  expect(readdirSync(path.slice(0, -name.length - 1))).toEqual([name]);
  expect(await Bun.file(path).bytes()).toEqual(bytes);
};

test('opening a file of version 0.1 is refused, and the file and its folder stay unchanged', async () => {
  const options = { path, migrations, tables, writes: { ops: [] }, now: 1 };
  for (const open of [
    () => openDb(options),
    () => openDbForReading(path, options),
    () => migrationStates(path, migrations),
  ]) {
    expect(open).toThrow(expect.objectContaining({ status: 409, message: expect.stringMatching(REFUSAL) }));
  }
  await expectUntouched();
});

test.each([
  [['serve', '--port', '0']],
  [['report', 'overview']],
  [['migrate', 'status']],
  [['migrate', 'up']],
  [['projects', 'list']],
  [['init', '--org', 'Acme', '--project', 'p', '--email', 'a@example.com', '--password-stdin']],
])('the command line refuses it: %p', async (command) => {
  const { code, stderr } = await runCommand([...command, '--db', path]);
  expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringMatching(REFUSED_COMMAND) });
  await expectUntouched();
});
