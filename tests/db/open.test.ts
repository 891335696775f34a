import { afterAll, expect, test } from 'bun:test';
import {
  copyFileSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../migrations/index.ts';
import { openWriteConnection } from '../../src/db/connection.ts';
import { DatabaseFileError } from '../../src/db/file/file-error.ts';
import { databasePath, migrationStates, openDb, openDbForReading } from '../../src/db/open.ts';
import { openReadSession } from '../../src/db/reader.ts';
import { sqlOp } from '../../src/db/sql-op.ts';
import { tables } from '../../src/features.ts';
import { openFolder } from '../helpers/folder.ts';

const folder = openFolder();
afterAll(() => folder.remove());
const options = (path: string) => ({ path, migrations, tables, writes: { ops: [sqlOp] }, now: 1 });

test('two processes never write to the same file', async () => {
  const path = folder.path('one.db');
  const db = openDb(options(path));
  const script = `
    import { openDb } from '${import.meta.dir}/../../src/db/open.ts';
    try { openDb({ path: process.argv[1], migrations: [], tables: [], writes: { ops: [] }, now: 1 }); console.log('opened'); }
    catch (error) { console.log(error.status, error.message); }`;
  const attempt = Bun.spawnSync([process.execPath, '-e', script, path]);
  expect(attempt.stdout.toString()).toMatch(/^409 .*one\.db is in use by another spanledger process/);
  await db.close();
  await openDb(options(path)).close();
});

test.skipIf(process.platform !== 'linux')(
  'nor under another name of the file: it is neither written nor read there while a process has it',
  async () => {
    const [path, other] = [folder.path('named.db'), folder.path('other.db')];
    const program = (body: string): string => `
      import { openDb, openDbForReading } from '${import.meta.dir}/../../src/db/open.ts';
      import { backupFile } from '${import.meta.dir}/../../src/backup.ts';
      import { migrations } from '${import.meta.dir}/../../migrations/index.ts';
      const options = { path: process.argv[1], migrations, tables: [], writes: { ops: [] }, now: 1 };
      ${body}`;
    await openDb(options(path)).close();
    const held = program("openDb(options); console.log('open'); for await (const _ of console);");
    const holder = Bun.spawn([process.execPath, '-e', held, path], { stdin: 'pipe', stdout: 'pipe' });
    await holder.stdout.getReader().read();
    const tries = program(`
      const copy = options.path + '.copy';
      for (const use of [() => openDb(options), () => openDbForReading(options.path, options), () => backupFile(options.path, copy)])
        try { use(); console.log('used'); } catch (error) { console.log(error.status, error.message); }`);
    const tried = (): string =>
      Bun.spawnSync([process.execPath, '-e', tries, other])
        .stdout.toString()
        .replaceAll(`${folder.path('.')}/`, '');
    const refused = `409 other.db is the file that another spanledger process (pid ${holder.pid}) has open as named.db; use that name with --db, or stop that process\n`;
    linkSync(path, other);
    expect(tried()).toBe(refused.repeat(3));
    rmSync(other);
    renameSync(path, other);
    expect(tried()).toBe(refused.repeat(3));
    holder.kill('SIGKILL');
    await holder.exited;
    await openDb(options(other)).close();
  },
);

test('a link to a file stands for the file, also while that is missing', () => {
  const [path, link] = [folder.path('real.db'), folder.path('link.db')];
  symlinkSync('real.db', link);
  const real = join(realpathSync(folder.path('.')), 'real.db');
  expect(databasePath(`file:${link}`)).toBe(real);
  writeFileSync(path, '');
  expect(databasePath(`file:${link}`)).toBe(real);
  symlinkSync('loop.db', folder.path('loop.db'));
  expect(databasePath(`file:${folder.path('loop.db')}`)).toMatch(/loop\.db$/);
});

test('looking at a file again takes no lock from what has it open: another process leaves its log alone', async () => {
  const path = folder.path('looked.db');
  const db = openDb(options(path));
  const insert = (id: string) => [
    { sql: "INSERT INTO organizations (id, name, plan, created_at) VALUES (?, 'x', 'free', 0)", args: [id] },
  ];
  await db.writer.write(sqlOp, insert('a'));
  expect(migrationStates(path, migrations).length).toBeGreaterThan(0);
  await openDbForReading(path, options(path)).close();
  const log = statSync(`${path}-wal`);
  expect(log.size).toBeGreaterThan(0);
  // The last connection that closes deletes the log.
  const script = `
    import Libsql from 'libsql';
    const connection = new Libsql(process.argv[1]);
    connection.exec('UPDATE organizations SET name = name WHERE FALSE');
    connection.close();`;
  const other = Bun.spawnSync([process.execPath, '-e', script, path], { cwd: import.meta.dir });
  expect([other.exitCode, other.stderr.toString()]).toEqual([0, '']);
  expect(statSync(`${path}-wal`).ino).toBe(log.ino);
  await db.writer.write(sqlOp, insert('b'));
  await db.close();
  const after = openWriteConnection(path);
  expect(after.prepare('SELECT id FROM organizations').raw(true).all()).toEqual([['a'], ['b']]);
  after.close();
});

test('a copy of the file alone, made after the close, holds every row', async () => {
  const path = folder.path('stopped.db');
  const db = openDb(options(path));
  await db.read({ name: 'open', run: () => null }, [1], null);
  const sql = "INSERT INTO organizations (id, name, plan, created_at) VALUES (?, 'x', 'free', 0)";
  for (const id of ['a', 'b']) await db.writer.write(sqlOp, [{ sql, args: [id] }]);
  await db.close();
  const copy = folder.path('copy.db');
  copyFileSync(path, copy);
  const connection = openWriteConnection(copy);
  expect(connection.prepare('SELECT id FROM organizations').raw(true).all()).toEqual([['a'], ['b']]);
  connection.close();
});

test('a file that is not a database is refused and left as it is', async () => {
  const path = folder.path('text.db');
  writeFileSync(path, 'this is not a database, but long enough to look like one'.repeat(50));
  const before = await Bun.file(path).text();
  expect(() => openDb(options(path))).toThrow(/is not a database/);
  expect(() => openDbForReading(path, { migrations, tables })).toThrow(DatabaseFileError);
  expect(await Bun.file(path).text()).toBe(before);
});

test('reading never creates a file', () => {
  const path = folder.path('missing.db');
  expect(() => openDbForReading(path, { migrations, tables })).toThrow(/There is no database at/);
  expect(Bun.file(path).size).toBe(0);
});

test('a folder that does not exist is named', () => {
  expect(() => openDb(options(folder.path('no/such/folder.db')))).toThrow(/check that its folder exists/);
});

test('a folder, or a pipe, is no database, and nobody waits for one', () => {
  const pipe = folder.path('pipe');
  expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0);
  for (const [path, what] of [
    [folder.path('.'), 'is a folder'],
    [pipe, 'is not a file'],
  ] as const)
    for (const open of [
      () => openDb(options(path)),
      () => openDbForReading(path, options(path)),
      () => migrationStates(path, migrations),
    ])
      expect(open).toThrow(expect.objectContaining({ message: `${path} ${what}`, kind: 'database_missing' }));
});

test('a batch of the control plane is all or nothing', async () => {
  const path = folder.path('batch.db');
  const db = openDb(options(path));
  const insert = (id: string) => ({
    sql: "INSERT INTO organizations (id, name, plan, created_at) VALUES (?, 'x', 'free', 0)",
    args: [id],
  });
  await expect(db.writer.write(sqlOp, [insert('a'), insert('b'), insert('a')])).rejects.toThrow(/UNIQUE/);
  await db.writer.write(sqlOp, [insert('a')]);
  const connection = openWriteConnection(path);
  expect(connection.prepare('SELECT id FROM organizations').raw(true).all()).toEqual([['a']]);
  connection.close();
  await db.close();
});

test('a reader sees only the projects of its scope, even without a filter, and cannot write', async () => {
  const path = folder.path('scope.db');
  const db = openDb(options(path));
  const rows = [1, 2, 3].map((no) => ({
    sql: 'INSERT INTO quarantined_events (id, project, received_at, line, error) VALUES (?, ?, 0, 1, ?)',
    args: [`q${no}`, no, 'x'],
  }));
  await db.writer.write(sqlOp, [
    { sql: "INSERT INTO organizations (id, name, plan, created_at) VALUES ('o', 'x', 'free', 0)", args: [] },
    ...[1, 2, 3].map((no) => ({
      sql: "INSERT INTO projects (no, id, organization_id, name, created_at) VALUES (?, ?, 'o', 'x', 0)",
      args: [no, `p${no}`],
    })),
    ...rows,
  ]);
  const session = openReadSession(path, tables);
  const seen = (projects: number[]) =>
    session.open(projects).rows('SELECT id FROM quarantined_events ORDER BY 1').flat();
  expect(seen([2])).toEqual(['q2']);
  expect(seen([1, 3])).toEqual(['q1', 'q3']);
  expect(seen([9])).toEqual([]);
  const reader = session.open([2]);
  expect(reader.rows('SELECT id FROM quarantined_events WHERE project = 1 OR 1 = 1').flat()).toEqual(['q2']);
  expect(() => reader.rows('DELETE FROM main.quarantined_events RETURNING id')).toThrow(/has to be a SELECT/);
  session.close();
  await db.close();
});
