import { existsSync } from 'node:fs';
import Libsql from 'libsql';

/** One libSQL connection of the synchronous driver: better-sqlite3's interface. */
export type Connection = InstanceType<typeof Libsql>;

/** A value that can be bound to a statement or read from a row. */
export type SqlValue = string | number | bigint | null | Uint8Array | ArrayBuffer;

/** Rows of one statement with the names of their columns; `changes` for a statement that writes. */
export type SqlResult = { columns: string[]; rows: SqlValue[][]; changes: number };

/** One SQL statement with its positional arguments. */
export type SqlStatement = { sql: string; args: SqlValue[] };

/** How long opening waits for a short lock by another connection, for example while it switches to WAL or closes. */
const OPEN_PATIENCE_MS = 2000;

/**
 * Opens the only connection that writes. `synchronous=FULL` makes COMMIT wait for the disk, so that an acknowledged
 * event survives a power cut. After opening, a busy database fails immediately: the writer decides how to wait,
 * because waiting inside SQLite would block its thread.
 */
export function openWriteConnection(path: string): Connection {
  const connection = new Libsql(path);
  connection.exec(`PRAGMA busy_timeout = ${OPEN_PATIENCE_MS}`);
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA busy_timeout = 0');
  connection.exec('PRAGMA synchronous = FULL');
  connection.exec('PRAGMA foreign_keys = ON');
  connection.exec('PRAGMA cache_size = -16384');
  connection.exec('PRAGMA wal_autocheckpoint = 4000');
  return connection;
}

/**
 * Opens a connection that can only read; it never waits for the writer (WAL). Throws SQLITE_CANTOPEN without a file: SQLite
 * would make an empty one, and delete the log of the file that was moved away from a server.
 */
export function openReadConnection(path: string): Connection {
  if (!existsSync(path))
    throw Object.assign(new Error(`There is no database at ${path}`), { code: 'SQLITE_CANTOPEN' });
  const connection = new Libsql(path);
  connection.exec('PRAGMA busy_timeout = 2000');
  connection.exec('PRAGMA query_only = ON');
  connection.exec('PRAGMA cache_size = -8192');
  connection.exec('PRAGMA temp_store = MEMORY');
  return connection;
}

/** A connection to a server runs a statement in one request; asking for its columns first would be another. */
type Remote = { runStatement?(statement: SqlStatement): SqlResult };

/** Runs one statement and collects its rows, if it has any. */
export function runStatement(connection: Connection & Remote, statement: SqlStatement): SqlResult {
  if (connection.runStatement !== undefined) return connection.runStatement(statement);
  const prepared = connection.prepare(statement.sql);
  const columns = prepared.columns().map((column) => column.name);
  if (columns.length === 0) {
    return { columns, rows: [], changes: prepared.run(statement.args).changes };
  }
  return { columns, rows: prepared.raw(true).all(statement.args) as SqlValue[][], changes: 0 };
}

/** Primary result codes (https://www.sqlite.org/rescode.html) that the driver may report as numbers. */
const PRIMARY: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};
/** An extended code has its primary one in the lowest byte. */
const primaryOf = (number: string): string | undefined => PRIMARY[Number(number) & 0xff];

/** The SQLite result code of an error (`SQLITE_BUSY`, `SQLITE_FULL`, …) or an empty string. */
export function sqliteCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('SQLITE_')) return code;
  // The driver does not know each extended code, such as that of a folder without write access.
  const unknown = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code)?.[1];
  if (unknown !== undefined) return primaryOf(unknown) ?? '';
  const opening = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message)?.[1];
  return opening === undefined ? '' : (primaryOf(opening) ?? 'SQLITE_CANTOPEN');
}

const UNAVAILABLE = [
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_NOMEM',
];

/**
 * True for failures that end by themselves or that the operator can fix. Nothing was stored; the caller may retry.
 */
export function isUnavailable(error: unknown): boolean {
  const code = sqliteCode(error);
  return UNAVAILABLE.some((known) => code.startsWith(known));
}

const FILE_FAULTS = ['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/**
 * True if the file could not be read or written: it is damaged, or the disk failed for a moment. After such a failure
 * the connection may keep a page in memory that it could not read, and must be opened anew.
 */
export function isFileFault(error: unknown): boolean {
  const code = sqliteCode(error);
  return FILE_FAULTS.some((known) => code.startsWith(known));
}
