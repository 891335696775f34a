import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { queryFile, storedEvents } from '../../helpers/stored-events.ts';
import { openLedger } from '../ledger.ts';

let ledger: Awaited<ReturnType<typeof openLedger>>;
let backup: string;
beforeAll(async () => {
  ledger = await openLedger();
  const { values } = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'silent' } });
  const app = openApp({ config: values, mode: 'command' });
  const events = Array.from({ length: 300 }, (_, i) => ({
    provider: 'openai',
    model: i % 3 === 0 ? 'gpt-4o' : 'gpt-4o-mini',
    timestamp: new Date(Date.now() - (i % 5) * DAY_MS).toISOString(),
    input_tokens: 100 + i,
    output_tokens: i,
  }));
  const post = async (lines: readonly object[]): Promise<void> => {
    const body = Bun.gzipSync(lines.map((line) => JSON.stringify(line)).join('\n'));
    const headers = { 'x-api-key': ledger.made.apiKey ?? '', 'Content-Encoding': 'gzip' };
    const request = new Request('http://localhost/v1/ingest', { method: 'POST', headers, body });
    expect((await app.fetch(request, { address: '127.0.0.1' })).status).toBe(202);
  };
  await post(events.slice(0, 100));
  await post(events.slice(100, 200));
  await app.ctx.use(sealerService).sealAll(1);
  await post(events.slice(200));
  await app.close();
  backup = join(ledger.dir, 'copy.db');
  expect((await ledger.run(['backup', backup])).code).toBe(0);
});
afterAll(() => ledger.remove());

/** A copy of the backup for a test to harm. */
function harmed(name: string, harm: (path: string) => void): string {
  const path = join(ledger.dir, `${name}.db`);
  copyFileSync(backup, path);
  harm(path);
  return path;
}

function write(path: string, sql: string): void {
  const connection = new Libsql(path);
  connection.exec(sql);
  connection.close();
}

const newLedger = (): string => join(ledger.dir, `new-${crypto.randomUUID()}.db`);

test('a backup has every event, is readable by its owner only, and verifies', async () => {
  const events = (path: string): string => JSON.stringify(storedEvents(path).map(({ event }) => event));
  expect(events(backup)).toBe(events(ledger.path));
  expect(Bun.spawnSync(['stat', '-c', '%a', backup]).stdout.toString().trim()).toBe('600');
  const verified = await ledger.json('verify', backup);
  expect(verified).toMatchObject({ ok: true, projects: 1, days: 5, unsettled: 0, problems: [] });
  expect(verified.segments).toBeGreaterThan(0);
  expect(verified.batches).toBeGreaterThan(0);
  expect(verified.auditEntries).toBeGreaterThan(0);
});

test('nothing that exists is overwritten, and a target that cannot be written leaves nothing', async () => {
  expect(await ledger.run(['backup', backup])).toMatchObject({ code: 5 });
  expect(await ledger.run(['restore', backup])).toMatchObject({ code: 5 });
  const nowhere = join(ledger.dir, 'no-such-folder', 'x.db');
  const failed = await ledger.run(['backup', nowhere]);
  expect(failed.code).not.toBe(0);
  expect(failed.stderr).toMatch(/There is no folder .*no-such-folder\n {2}fix: Make it first\n/);
  expect(await ledger.run(['backup', newLedger(), '--db', newLedger()])).toMatchObject({ code: 6 });
  expect(readdirSync(ledger.dir).filter((name) => name.includes('.part'))).toEqual([]);
});

describe('a restored file', () => {
  test('answers as the old one did', async () => {
    const path = newLedger();
    expect(await ledger.json('restore', backup, '--db', path)).toMatchObject({ problems: [], secret: false });
    const report = async (db: string): Promise<unknown> => {
      const { start: _, end: __, ...costs } = await ledger.json('report', 'costs', '--db', db);
      return costs;
    };
    expect(await report(path)).toEqual(await report(ledger.path));
    expect(existsSync(`${path}.secret`)).toBe(false);
    expect(existsSync(`${path}.part.secret`)).toBe(false);
  });

  test('has the secret that the passphrase opens, and none without it', async () => {
    const [folder, passphrase, other] = ['sealed/', 'pass', 'other'].map((name) => join(ledger.dir, name));
    mkdirSync(folder as string);
    writeFileSync(passphrase as string, 'twelve letters\n');
    writeFileSync(other as string, 'another passphrase');
    const made = await ledger.json('backup', folder as string, '--passphrase-file', passphrase as string);
    const secret = readFileSync(`${ledger.path}.secret`, 'utf8');
    for (const name of readdirSync(folder as string))
      expect(readFileSync(join(folder as string, name)).includes(secret.trim())).toBe(false);
    const path = newLedger();
    const restore = ['restore', folder as string, '--db', path];
    expect(await ledger.run(restore)).toMatchObject({ code: 2 });
    expect(await ledger.run([...restore, '--passphrase-file', other as string])).toMatchObject({ code: 2 });
    expect(existsSync(path)).toBe(false);
    const restored = await ledger.json(...restore, '--passphrase-file', passphrase as string);
    expect(restored).toMatchObject({ from: made.file, secret: true });
    expect(readFileSync(`${path}.secret`, 'utf8')).toBe(secret);
  });
});

/** Changes one byte of a segment. */
const flip = (path: string): void => {
  const file = readFileSync(path);
  const [[data] = []] = queryFile(path, 'SELECT small FROM event_segments');
  const blob = Buffer.from(data as Uint8Array).subarray(0, 60);
  // Pages keep remains of rows that were moved: all places are changed.
  for (let at = file.indexOf(blob); at >= 0; at = file.indexOf(blob, at + 1))
    file[at + 30] = (file[at + 30] ?? 0) ^ 0xff;
  writeFileSync(path, file);
};

describe('a damaged file', () => {
  const page = (path: string, table: string): number => {
    const [[root] = []] = queryFile(path, `SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`);
    return Number(root);
  };
  const overwrite = (path: string, at: number, bytes: Uint8Array): void => {
    const file = readFileSync(path);
    file.set(bytes, at);
    writeFileSync(path, file);
  };
  const zeroed = (path: string, table: string): void =>
    overwrite(path, (page(path, table) - 1) * 4096, new Uint8Array(4096));
  const HARMS: Readonly<Record<string, (path: string) => void>> = {
    'is not a database': (path) => writeFileSync(path, 'no database '.repeat(1_000)),
    'is empty': (path) => truncateSync(path),
    'was cut in half': (path) => truncateSync(path, Math.floor(readFileSync(path).length / 8192) * 4096),
    'has a page of zeros in a table': (path) => zeroed(path, 'event_segments'),
    'has a page of zeros in the schema': (path) => overwrite(path, 0, new Uint8Array(4096)),
    'has a flipped byte in its events': flip,
    'is of a later version': (path) =>
      write(path, "INSERT INTO migrations SELECT '9999_later', hash, applied_at FROM migrations LIMIT 1"),
    'has a changed sum': (path) => {
      for (const table of ['rollup_days', 'rollup_hours'])
        write(path, `UPDATE ${table} SET cost_nano = cost_nano + 1 WHERE is_call = 1`);
    },
    'has a changed audit entry': (path) =>
      write(
        path,
        "DROP TRIGGER audit_log_update; UPDATE audit_log SET action = 'nothing.done' WHERE seq = 2",
      ),
    'refers to rows that are gone': (path) =>
      write(path, 'PRAGMA foreign_keys = OFF; DELETE FROM organizations'),
  };

  for (const [name, harm] of Object.entries(HARMS))
    test(`that ${name}: verify and restore say so, and make no file`, async () => {
      const path = harmed(name.replaceAll(' ', '-'), harm);
      const verified = await ledger.run(['verify', path]);
      expect([name, verified.code]).toEqual([name, 6]);
      expect(`${verified.stdout}${verified.stderr}`.length).toBeGreaterThan(20);
      const to = newLedger();
      const restored = await ledger.run(['restore', path, '--db', to]);
      expect([name, restored.code]).toEqual([name, verified.code]);
      expect(restored.stderr).toContain('fix:');
      expect(existsSync(to)).toBe(false);
      expect(readdirSync(ledger.dir).filter((file) => file.includes('.part'))).toEqual([]);
      rmSync(path);
    });
});

test('a file with zeros for the first pages of its events: each command that reads them ends with 6', async () => {
  const path = harmed('zeros', (file) => {
    const sql =
      "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND (name LIKE 'event_%' OR name LIKE 'rollup_%')";
    const bytes = readFileSync(file);
    for (const [root] of queryFile(file, sql)) bytes.fill(0, (Number(root) - 1) * 4096, Number(root) * 4096);
    writeFileSync(file, bytes);
  });
  const bytes = readFileSync(path);
  const lines = [
    ['backup', newLedger()],
    ['verify'],
    ['doctor'],
    ['report', 'costs'],
    ['report', 'overview'],
    ['events', 'list'],
    ['events', 'export', '--output', join(ledger.dir, 'out.csv')],
    ['sql', 'SELECT count(*) FROM events'],
    ['traces', 'list'],
    ['query'],
  ];
  for (const line of lines) {
    const { code, stdout, stderr } = await ledger.run([...line, '--db', path]);
    expect([line.join(' '), code, `${stdout}${stderr}`]).toEqual([
      line.join(' '),
      6,
      expect.stringMatching(/fix:|Restore a backup/),
    ]);
  }
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

test('a file whose damaged events were given up is in order, and can be restored', async () => {
  const path = harmed('given-up', flip);
  const drop = ['events', 'drop-damaged', 'assistant', '--yes', '--db', path];
  expect((await ledger.run(['events', 'check', '--db', path])).code).toBe(1);
  expect((await ledger.run(drop)).code).toBe(0);
  expect(await ledger.json('verify', path)).toMatchObject({ ok: true, problems: [] });
  expect(await ledger.json('restore', path, '--db', newLedger())).toMatchObject({ problems: [] });
});

test('a folder keeps what the rule says, and other files', async () => {
  const folder = join(ledger.dir, 'kept');
  mkdirSync(folder);
  const old = ['spanledger-20200101T000000Z.db', 'spanledger-20200101T000000Z.db.secret.sealed'];
  for (const name of [...old, 'mine.db', 'spanledger-notes.txt']) writeFileSync(join(folder, name), '');
  const { deleted, file } = await ledger.json('backup', folder, '--keep', '24h,7d');
  expect(deleted).toEqual([join(folder, old[0] ?? '')]);
  expect(
    readdirSync(folder)
      .map((name) => join(folder, name))
      .toSorted(),
  ).toEqual([String(file), join(folder, 'mine.db'), join(folder, 'spanledger-notes.txt')].toSorted());
  expect(await ledger.run(['backup', folder, '--keep', '7x'])).toMatchObject({ code: 2 });
  expect(await ledger.run(['backup', newLedger(), '--keep', '7d'])).toMatchObject({ code: 2 });
});

test('the server copies into a folder, and a folder that is not there is named', async () => {
  const folder = join(ledger.dir, 'hourly');
  mkdirSync(folder);
  const run = (BACKUP_TO: string) =>
    ledger.run(['jobs', 'run', 'backup.copy', '--json'], {
      env: { BACKUP_TO, DATABASE_URL: `file:${ledger.path}` },
    });
  const done = await run(folder);
  expect([done.code, done.stderr]).toEqual([0, '']);
  const [name = ''] = readdirSync(folder);
  expect(JSON.parse(done.stdout)).toMatchObject({
    status: 'ok',
    result: { file: join(folder, name), deleted: 0 },
  });
  expect((await ledger.run(['verify', folder])).code).toBe(0);
  const failed = await run(join(ledger.dir, 'nowhere'));
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('nowhere')]);
});
