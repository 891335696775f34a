import type { Client, InArgs, InStatement, ResultSet } from '@libsql/client';
import { createClient } from '@libsql/client';
import { drizzle, type LibSQLDatabase } from 'drizzle-orm/libsql';
import { isFileFault, type SqlResult, type SqlStatement, type SqlValue } from './connection.ts';

/** The control plane's database: drizzle over libSQL, its writes sent to the single writer. */
export type ControlDb = LibSQLDatabase<Record<string, never>>;

/**
 * A libSQL client that reads on its own connection and sends writes to `write`, which runs them as one transaction.
 * `batch` is the unit of atomic change. Interactive transactions are refused, because they would hold the write lock
 * across turns of the event loop.
 */
export function openControlDb(
  path: string,
  write: (statements: SqlStatement[]) => Promise<SqlResult[]>,
): {
  db: ControlDb;
  close(): void;
} {
  const reader = createClient({ url: `file:${path}`, concurrency: 1, timeout: 2000 });
  const read = async (statement: { sql: string; args: SqlValue[] }): Promise<ResultSet> => {
    try {
      return await reader.execute(statement);
    } catch (error) {
      const isFault = isFileFault(error);
      if (!isFault && !wasCut(error)) throw error;
      // The disk may have failed for a moment; the connection would keep what it could not read.
      if (isFault) await reader.reconnect();
      return await reader.execute(statement);
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

/**
 * Whether a statement only reads. A statement that starts with WITH may end in a write, so it counts as a read only
 * if it contains no writing keyword. A read with such a keyword in a string literal goes to the writer, which can run
 * both.
 */
function isRead(sql: string): boolean {
  const [, verb = ''] = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(\w*)/.exec(sql) ?? [];
  if (/^with$/i.test(verb)) return !/\b(insert|update|delete|replace)\b/i.test(sql);
  return /^select$/i.test(verb);
}

function toStatement(statement: InStatement, args?: InArgs): { sql: string; args: SqlValue[] } {
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

function toResultSet(result: SqlResult | undefined): ResultSet {
  const { columns, rows, changes } = result ?? { columns: [], rows: [], changes: 0 };
  const named = rows.map((row) =>
    Object.assign([...row], Object.fromEntries(columns.map((name, i) => [name, row[i]]))),
  );
  return {
    columns,
    columnTypes: [],
    rows: named as unknown as ResultSet['rows'],
    rowsAffected: changes,
    lastInsertRowid: undefined,
    toJSON: () => ({ columns, rows, rowsAffected: changes }),
  };
}

/** Whether the connection was closed under a waiting statement, because another one met a fault of the file. */
const wasCut = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'CLIENT_CLOSED';
