import type { Client, InArgs, InStatement, ResultSet } from '@libsql/client';
import { drizzle, type LibSQLDatabase } from 'drizzle-orm/libsql';
import { LRUCache } from 'lru-cache';
import {
  type Connection,
  isFileFault,
  openReadConnection,
  type SqlResult,
  type SqlStatement,
  type SqlValue,
} from './connection.ts';

/** The control plane's database: drizzle over libSQL, its writes sent to the single writer. */
export type ControlDb = LibSQLDatabase<Record<string, never>>;

/**
 * A libSQL client that reads on its own connection and sends writes to `write`, which runs them as one transaction.
 * `batch` is the unit of atomic change. Interactive transactions are refused, because they would hold the write lock
 * across turns of the event loop.
 * @param opened a connection that reads `path`, if there is one already
 */
export function openControlDb(
  path: string,
  write: (statements: SqlStatement[]) => Promise<SqlResult[]>,
  opened: Connection | null = null,
): {
  db: ControlDb;
  close(): void;
} {
  const reader = openReader(path, opened);
  const read = (statement: SqlStatement): ResultSet => {
    try {
      return toResultSet(reader.read(statement));
    } catch (error) {
      if (!isFileFault(error)) throw error;
      // The disk may have failed for a moment; the connection would keep what it could not read.
      reader.reconnect();
      return toResultSet(reader.read(statement));
    }
  };
  const client = {
    execute: async (statement: InStatement, args?: InArgs): Promise<ResultSet> => {
      const normal = toStatement(statement, args);
      if (isRead(normal.sql)) return read(normal);
      const [result] = await write([normal]);
      return toResultSet(result);
    },
    batch: async (statements: InStatement[]): Promise<ResultSet[]> =>
      (await write(statements.map((statement) => toStatement(statement)))).map(toResultSet),
    transaction: () =>
      Promise.reject(new Error('use batch: an interactive transaction would block the writer')),
    close: () => reader.close(),
    closed: false,
    protocol: 'file',
  };
  return { db: drizzle(client as unknown as Client), close: () => reader.close() };
}

/** Statements that stay prepared: to prepare one takes several times as long as a small read. */
const MAX_PREPARED = 500;

type Prepared = { readonly columns: string[]; all(args: SqlValue[]): SqlValue[][] };

function openReader(
  path: string,
  opened: Connection | null,
): {
  read(statement: SqlStatement): SqlResult;
  /** The next read opens the file anew. */
  reconnect(): void;
  close(): void;
} {
  let connection: Connection | null = opened ?? openReadConnection(path);
  const prepared = new LRUCache<string, Prepared>({ max: MAX_PREPARED });

  let isClosed = false;

  function prepare(sql: string): Prepared {
    if (isClosed) throw new Error('The database is closed');
    // Opening fails while the file cannot be read, and is tried again by the next read.
    connection ??= openReadConnection(path);
    const statement = connection.prepare(sql);
    const columns = statement.columns().map(({ name }) => name);
    const rows = statement.raw(true);
    const made = { columns, all: (args: SqlValue[]) => rows.all(args) as SqlValue[][] };
    prepared.set(sql, made);
    return made;
  }

  const reconnect = (): void => {
    prepared.clear();
    connection?.close();
    connection = null;
  };
  return {
    read({ sql, args }) {
      const { columns, all } = prepared.get(sql) ?? prepare(sql);
      try {
        return { columns, rows: all(args), changes: 0 };
      } catch (error) {
        // A statement that failed may be in the middle of its rows.
        prepared.delete(sql);
        throw error;
      }
    },
    reconnect,
    close: () => {
      reconnect();
      isClosed = true;
    },
  };
}

/**
 * Whether a statement only reads. A statement that starts with WITH may end in a write, so it counts as a read only
 * if it contains no writing keyword. A read with such a keyword in a string literal goes to the writer, which can run
 * both.
 */
export function isRead(sql: string): boolean {
  const [, verb = ''] = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(\w*)/.exec(sql) ?? [];
  if (/^with$/i.test(verb)) return !/\b(insert|update|delete|replace)\b/i.test(sql);
  return /^select$/i.test(verb);
}

/** A statement with its values as SQLite stores them. */
export function toStatement(statement: InStatement, args?: InArgs): { sql: string; args: SqlValue[] } {
  const given = typeof statement === 'string' ? (args ?? []) : (statement.args ?? []);
  const sql = typeof statement === 'string' ? statement : statement.sql;
  if (!Array.isArray(given)) throw new Error('named arguments are not supported');
  return { sql, args: given.map(toSqlValue) };
}

/** Converts booleans to 0/1 and dates to epoch milliseconds. */
function toSqlValue(value: unknown): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return value.getTime();
  return value === undefined ? null : (value as SqlValue);
}

/** A result as drizzle reads it. */
export function toResultSet(result: SqlResult | undefined): ResultSet {
  const { columns, rows, changes } = result ?? { columns: [], rows: [], changes: 0 };
  return {
    columns,
    columnTypes: [],
    rows: rows.map((values) => toRow(columns, values)) as unknown as ResultSet['rows'],
    rowsAffected: changes,
    lastInsertRowid: undefined,
    toJSON: () => ({ columns, rows, rowsAffected: changes }),
  };
}

/** A row with its values by name and by place, where only names are listed, as a libSQL client makes it. */
function toRow(columns: readonly string[], values: readonly SqlValue[]): object {
  const row: Record<string, SqlValue> = {};
  for (const [place, name] of columns.entries()) {
    const value = values[place] ?? null;
    if (!Object.hasOwn(row, name)) row[name] = value;
    Object.defineProperty(row, place, { value });
  }
  return Object.defineProperty(row, 'length', { value: columns.length });
}
