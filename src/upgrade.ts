import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { migrations } from '../migrations/index.ts';
import { AUDIT_COPY, chainEnds } from './core/audit/index.ts';
import {
  compareSums,
  createSegmentWriter,
  eventSlices,
  FIRST_ONLY_TABLES,
  openFirstRows,
} from './core/events/index.ts';
import { type Connection, openReadConnection, openWriteConnection } from './db/connection.ts';
import { copyTable, tableNames } from './db/copy-tables.ts';
import { noDatabase } from './db/file/file-error.ts';
import { isOldFile } from './db/file/old-file.ts';
import { takeWriteLock, type WriteLock } from './db/lock.ts';
import { applyMigrations } from './db/migrate.ts';
import { openReadSession } from './db/reader.ts';
import { AppError, conflict } from './errors.ts';
import { tables } from './features.ts';

/** The upgrade of one file. */
export type Upgrade = {
  /** A file of version 0.1, which stays as it is. No other process may write to it meanwhile. */
  readonly from: string;
  /** The new file, which must not exist. Until all is copied and compared its name ends with `.part`. */
  readonly to: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UpgradeProgress) => void;
};

export type UpgradeProgress =
  | { readonly step: 'tables'; readonly table: string; readonly rows: number }
  | { readonly step: 'events'; readonly events: number; readonly of: number }
  | { readonly step: 'compare'; readonly project: number };

export type UpgradeResult = { readonly events: number; readonly rows: number; readonly resumed: boolean };

/** The migrations of version 0.1. Earlier files of 0.1 are brought to the last by the last 0.1 itself. */
const FIRST_MIGRATION = '0000_init';
const LAST_MIGRATION = '0023_rows_from';

/**
 * Makes a file of this version from one of version 0.1. It can be stopped at any time: the next call goes on where
 * it was.
 * @throws DatabaseFileError if there is no such file, AppError 409 if it is not of version 0.1, is in use, or the new one exists
 */
export async function upgradeFile(upgrade: Upgrade): Promise<UpgradeResult> {
  const { from, to } = upgrade;
  if (!existsSync(from)) throw noDatabase(from);
  if (existsSync(to)) throw conflict(`${to} already exists; choose another name for the new file`);
  // Before files are made beside the new one.
  if (!isOldFile(from)) throw conflict(`${from} is not a file of version 0.1`);
  const locks: (WriteLock | null)[] = [];
  const connections: Connection[] = [];
  try {
    for (const path of [from, `${to}.part`]) locks.push(takeWriteLock(path));
    if (locks.includes(null)) throw conflict(`${from} or ${to}.part is in use by another spanledger process`);
    const old = openReadConnection(from);
    connections.push(old);
    requireVersion(old, from);
    const resumed = existsSync(`${to}.part`);
    const work = openWork(`${to}.part`, identityOf(from));
    connections.push(work);
    const rows = copyTables(upgrade, old, work);
    const events = await copyEvents(upgrade, old, work);
    checkForeignKeys(work);
    if (chainEnds(old) !== chainEnds(work))
      throw new AppError(500, 'The audit logs of both files end differently');
    compare(upgrade, old, `${to}.part`);
    work.exec('DROP TABLE upgrade_progress');
    work.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    for (const connection of connections.splice(0)) connection.close();
    if (existsSync(`${from}.secret`)) copyFileSync(`${from}.secret`, `${to}.secret`);
    renameSync(`${to}.part`, to);
    for (const side of ['-wal', '-shm', '.lock']) rmSync(`${to}.part${side}`, { force: true });
    return { events, rows, resumed };
  } finally {
    for (const connection of connections) connection.close();
    for (const lock of locks) lock?.release();
  }
}

function requireVersion(old: Connection, path: string): void {
  const [row = []] = tableNames(old).includes('migrations')
    ? (old.prepare('SELECT min(name), max(name) FROM migrations').raw(true).all([]) as string[][])
    : [];
  const [first, last] = row;
  if (first !== FIRST_MIGRATION) throw conflict(`${path} is not a file of version 0.1`);
  if (last !== LAST_MIGRATION)
    throw conflict(
      `${path} was last opened by an early 0.1; open it once with the last version 0.1, then upgrade it`,
    );
}

/** Distinguishes the file that an unfinished upgrade began with from others. */
const identityOf = (path: string): string => {
  const { size, mtimeMs, ino } = statSync(path);
  return JSON.stringify([ino, size, mtimeMs]);
};

/** Opens the unfinished file, or begins one. */
function openWork(path: string, identity: string): Connection {
  const work = openWriteConnection(path);
  work.exec('PRAGMA foreign_keys = OFF');
  applyMigrations(work, migrations, Date.now());
  work.exec('CREATE TABLE IF NOT EXISTS upgrade_progress (step TEXT PRIMARY KEY, value TEXT NOT NULL)');
  const source = noted(work, 'source');
  if (source === null) note(work, 'source', identity);
  else if (source !== identity) {
    work.close();
    throw conflict(
      `${path} is the unfinished upgrade of another file, or the file has changed since; delete it to start again`,
    );
  }
  return work;
}

const noted = (work: Connection, step: string): string | null =>
  (
    work.prepare('SELECT value FROM upgrade_progress WHERE step = ?').raw(true).all([step]) as [string][]
  )[0]?.[0] ?? null;

const note = (work: Connection, step: string, value: string): void => {
  work
    .prepare('INSERT INTO upgrade_progress VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
    .run([step, value]);
};

const LEFT_OUT: readonly string[] = ['migrations', ...AUDIT_COPY.leftOut, ...FIRST_ONLY_TABLES];
const ORDER: Readonly<Record<string, string>> = AUDIT_COPY.order;

/** Columns of 0.1 that are gone: when a quota warning was mailed is in the outbox now. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = { quota_warnings: ['sent_at'] };

/** Copies all tables but those that only the first event store has. */
function copyTables({ signal, onProgress }: Upgrade, from: Connection, to: Connection): number {
  const known = new Set(tableNames(to));
  let total = 0;
  for (const table of tableNames(from)) {
    if (LEFT_OUT.includes(table) || !known.has(table)) continue;
    const done = noted(to, `table ${table}`);
    let rows = Number(done);
    if (done === null) {
      rows = copyTable({ from, to, signal, order: ORDER[table], without: WITHOUT[table] }, table, (count) =>
        note(to, `table ${table}`, String(count)),
      );
      onProgress({ step: 'tables', table, rows });
      signal.throwIfAborted();
    }
    total += rows;
  }
  return total;
}

async function copyEvents(
  { signal, onProgress }: Upgrade,
  from: Connection,
  to: Connection,
): Promise<number> {
  const write = createSegmentWriter(from, to);
  const rows = openFirstRows(from);
  const of = rows.count();
  let events = 0;
  for (const no of rows.projects()) {
    const at = noted(to, `events ${no}`);
    const progress = at === null ? null : (JSON.parse(at) as { ts: number; id: string; events: number });
    let own = progress?.events ?? 0;
    const position = progress === null ? null : { ts: progress.ts, id: Uint8Array.fromHex(progress.id) };
    for (const slice of eventSlices(from, no, position)) {
      signal.throwIfAborted();
      own += slice.rows.length;
      to.exec('BEGIN IMMEDIATE');
      write(no, slice);
      note(to, `events ${no}`, JSON.stringify({ ts: slice.end.ts, id: slice.end.id.toHex(), events: own }));
      to.exec('COMMIT');
      onProgress({ step: 'events', events: events + own, of });
      // Lets a signal arrive.
      await Bun.sleep(0);
    }
    events += own;
  }
  return events;
}

function checkForeignKeys(work: Connection): void {
  const [row] = work.prepare('PRAGMA foreign_key_check').raw(true).all([]) as [string][];
  if (row !== undefined) throw new AppError(500, `A row of ${row[0]} refers to a row that does not exist`);
}

/** Sums each project's events of both files anew. */
function compare({ signal, onProgress }: Upgrade, old: Connection, path: string): void {
  const session = openReadSession(path, tables);
  try {
    for (const project of openFirstRows(old).projects()) {
      onProgress({ step: 'compare', project });
      signal.throwIfAborted();
      const [difference] = compareSums(old, session.open([project]), project);
      if (difference !== undefined)
        throw new AppError(
          500,
          `The upgrade is wrong and was not finished: ${JSON.stringify({ project, ...difference })}`,
        );
    }
  } finally {
    session.close();
  }
}
