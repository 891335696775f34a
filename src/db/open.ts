import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { AppError, conflict } from '../errors.ts';
import { JsonText } from '../lib/json-text.ts';
import { createDurations } from '../lib/stats/durations.ts';
import { type ControlDb, openControlDb } from './client.ts';
import { type Connection, openReadConnection, openWriteConnection } from './connection.ts';
import { tableNames } from './copy-tables.ts';
import { DatabaseFileError, fileError } from './file/file-error.ts';
import { numberFile, numberOf } from './file/file-number.ts';
import { holdFile, inUse, refuseOtherName } from './file/hold-file.ts';
import { refuseOldFile } from './file/old-file.ts';
import { realPath } from './file/real-path.ts';
import { refuseFullDisk } from './file/refuse-full-disk.ts';
import { refuseUnusable } from './file/refuse-unusable.ts';
import type { Writes } from './group-commit.ts';
import { takeWriteLock, type WriteLock } from './lock.ts';
import { applyMigrations, listMigrations, type Migration, type MigrationState } from './migrate.ts';
import type { OwnedTable } from './owned-table.ts';
import { openReadSession, type ReadOp, type ReadScope, type ReadSession } from './reader.ts';
import { createReaderPool, type ReaderStats } from './reader-pool.ts';
import type { Turns } from './remote/turns.ts';
import { sqlOp } from './sql-op.ts';
import { createInlineWriter, createThreadWriter, type Writer } from './writer.ts';

/** The open database: the control plane, the single writer and the readers. */
export type Db = {
  /** Path of the file, or the address of the server. */
  readonly path: string;
  /** On a libSQL server: there is no file to measure, to copy or to lock. */
  readonly isRemote: boolean;
  /** Turns among the processes of a libSQL server; null for a file, which one process writes. */
  readonly turns: Turns | null;
  /** Control-plane tables through drizzle; `batch` is the unit of atomic change. */
  readonly sql: ControlDb;
  readonly writer: Writer;
  /** Names of the migrations that were applied on opening. */
  readonly migrated: readonly string[];
  /** Runs a registered read over a scope. The result stays JSON text, because most replies send it as it is. */
  read<I, O>(op: ReadOp<I, O>, scope: ReadScope, input: I): Promise<JsonText<O>>;
  /** Of the reader processes; null for a command, which reads on its own thread. */
  readerStats(): ReaderStats | null;
  close(): Promise<void>;
};

export type OpenOptions = {
  path: string;
  migrations: readonly Migration[];
  /** All tables. Readers see only those that declare it, and only the rows of their scope. */
  tables: readonly OwnedTable[];
  writes: Writes;
  now: number;
  /** Set for a server: the writer runs on a thread, readers run in processes. Unset for a command. */
  server?: {
    writerEntry: string | URL;
    readerCommand: readonly string[];
    readers: number;
    queryDeadlineMs: number;
    onCrash(error: Error): void;
  };
};

/** Converts `file:./x.db` to an absolute path without links. Throws 400 for a server: what asks works on a file only. */
export function databasePath(url: string): string {
  if (!url.startsWith('file:'))
    throw new AppError(
      400,
      'This works on a database file, and DATABASE_URL is a libSQL server; name a file with --db',
    );
  return realPath(url.slice('file:'.length));
}

/**
 * Opens the database for reading and writing, applies pending migrations and takes the write lock. Throws AppError
 * 409 if another process writes to the file, under whatever name, or version 0.1 made it, and DatabaseFileError if it is
 * not a usable database or a later version made it.
 */
export function openDb(options: OpenOptions): Db {
  const { path } = options;
  refuseUnusable(path);
  refuseOldFile(path);
  let lock: WriteLock | null = null;
  let file: ReturnType<typeof holdFile> | null = null;
  try {
    lock = takeWriteLock(path);
    if (lock === null) throw inUse(path);
    refuseFullDisk(path);
    if (!existsSync(path)) createFile(path);
    file = holdFile(path);
    const { migrated, reader } = prepareFile(path, options.migrations, options.now);
    const writer = openWriter(options);
    const control = openControlDb(path, (statements) => writer.write(sqlOp, statements), reader);
    const readers = openReaders(options);
    const held = [file, lock];
    return {
      path,
      isRemote: false,
      turns: null,
      sql: control.db,
      writer,
      migrated,
      read: readers.read,
      readerStats: readers.stats,
      async close() {
        await writer.close();
        readers.close();
        control.close();
        for (const one of held) one.release();
      },
    };
  } catch (error) {
    file?.release();
    lock?.release();
    throw fileError(path, error);
  }
}

/** Opens the database read-only, for a report or while a server runs on it. Writes are refused. */
export function openDbForReading(
  path: string,
  { migrations, tables }: Pick<OpenOptions, 'migrations' | 'tables'>,
): Db {
  if (!existsSync(path)) throw new DatabaseFileError(`There is no database at ${path}`);
  refuseOtherName(path);
  try {
    migrationStates(path, migrations);
    const refuse = <T>(): Promise<T> => Promise.reject(conflict('This database was opened for reading'));
    const control = openControlDb(path, () => refuse());
    const readers = openInlineReader(path, tables);
    return {
      path,
      isRemote: false,
      turns: null,
      sql: control.db,
      writer: {
        write: () => refuse(),
        pending: () => 0,
        stats: () => ({ writes: createDurations().read(), failed: 0 }),
        close: () => Promise.resolve(),
      },
      migrated: [],
      read: readers.read,
      readerStats: readers.stats,
      close() {
        readers.close();
        control.close();
        return Promise.resolve();
      },
    };
  } catch (error) {
    throw fileError(path, error);
  }
}

/** The state of the file's migrations. Throws like `openDb`. */
export function migrationStates(path: string, migrations: readonly Migration[]): MigrationState[] {
  refuseUnusable(path);
  if (!existsSync(path)) throw new DatabaseFileError(`There is no database at ${path}`);
  refuseOldFile(path);
  try {
    return readFile(path, (connection) => statesIn(connection, path, migrations));
  } catch (error) {
    throw fileError(path, error);
  }
}

function statesIn(connection: Connection, path: string, migrations: readonly Migration[]): MigrationState[] {
  refuseOtherProgram(connection, path);
  return listMigrations(connection, migrations);
}

function readFile<T>(path: string, read: (connection: Connection) => T): T {
  const connection = openReadConnection(path);
  try {
    return read(connection);
  } finally {
    connection.close();
  }
}

/** `reader` is the connection that found nothing to prepare: to read all tables' definitions takes milliseconds. */
type Prepared = { readonly migrated: string[]; readonly reader: Connection | null };

function prepareFile(path: string, migrations: readonly Migration[], now: number): Prepared {
  // A connection that writes changes the mode of a file before it has read it.
  const reader = readyReader(path, migrations);
  if (reader !== null) {
    chmodSync(path, 0o600);
    return { migrated: [], reader };
  }
  const connection = openWriteConnection(path);
  try {
    chmodSync(path, 0o600);
    const migrated = applyMigrations(connection, migrations, now);
    numberFile(connection);
    return { migrated, reader: null };
  } finally {
    connection.close();
  }
}

/** A connection to a file with which nothing is left to do; null for another one. Throws like `openDb`. */
function readyReader(path: string, migrations: readonly Migration[]): Connection | null {
  const connection = openReadConnection(path);
  let isReady = false;
  try {
    const isCurrent = statesIn(connection, path, migrations).every(({ appliedAt }) => appliedAt !== null);
    const [[mode] = []] = connection.prepare('PRAGMA journal_mode').raw(true).all([]) as string[][];
    isReady = isCurrent && mode === 'wal' && numberOf(connection) !== null;
    return isReady ? connection : null;
  } finally {
    if (!isReady) connection.close();
  }
}

/** The file has its name only when it has a header: an empty file is a damaged one. */
function createFile(path: string): void {
  const part = `${path}.new`;
  rmSync(part, { force: true });
  // SQLite gives the files beside it the same mode.
  closeSync(openSync(part, 'w', 0o600));
  openWriteConnection(part).close();
  renameSync(part, path);
}

function refuseOtherProgram(connection: Connection, path: string): void {
  const names = tableNames(connection);
  if (names.length === 0 || names.includes('migrations')) return;
  throw new DatabaseFileError(`${path} is another program's database`, {
    fix: 'Name another file with --db',
    kind: 'database_foreign',
  });
}

function openWriter({ path, writes, server }: OpenOptions): Writer {
  return server === undefined
    ? createInlineWriter(path, writes)
    : createThreadWriter(path, server.writerEntry, server.onCrash);
}

type Readers = { read: Db['read']; stats: Db['readerStats']; close(): void };

function openReaders({ path, tables, server }: OpenOptions): Readers {
  if (server === undefined) return openInlineReader(path, tables);
  const pool = createReaderPool({
    command: server.readerCommand,
    path,
    tables,
    size: server.readers,
    deadlineMs: server.queryDeadlineMs,
  });
  return {
    read: async (op, scope, input) => new JsonText(await pool.read(op.name, scope, input, op.turn)),
    stats: () => pool.stats(),
    close: () => pool.close(),
  };
}

/** Opened by the first read: most commands ask for no events. */
function openInlineReader(path: string, tables: readonly OwnedTable[]): Readers {
  let session: ReadSession | undefined;
  return {
    read: async (op, scope, input) => {
      session ??= openReadSession(path, tables);
      return new JsonText(JSON.stringify(session.run(op, scope, input)));
    },
    stats: () => null,
    close: () => session?.close(),
  };
}
