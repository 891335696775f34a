import type { Connection, SqlValue } from './connection.ts';

/** Copies rows between two files with the same tables. */
export type TableCopy = {
  readonly from: Connection;
  readonly to: Connection;
  /** Aborts between two batches of rows. */
  readonly signal: AbortSignal;
  /** Columns to copy in the order of, if triggers require one. */
  readonly order?: string | undefined;
  /** Columns that the target no longer has. */
  readonly without?: readonly string[] | undefined;
};

/** Rows per insert, so that memory stays small. */
const AT_ONCE = 500;

/** Names of a file's tables, in alphabetical order. */
export const tableNames = (connection: Connection): string[] =>
  (
    connection
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1",
      )
      .raw(true)
      .all([]) as [string][]
  ).map(([name]) => name);

/**
 * Copies all rows of a table in one transaction, in which `andThen` runs too. The target must not check foreign keys
 * meanwhile, because tables are copied in any order.
 * @returns the number of rows
 */
export function copyTable(
  { from, to, signal, order, without = [] }: TableCopy,
  table: string,
  andThen: (rows: number) => void,
): number {
  const columns = columnsOf(from, table).filter((name) => !without.includes(name));
  const names = columns.map((name) => `"${name}"`).join(', ');
  const insert = to.prepare(
    `INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const rows = from
    .prepare(`SELECT ${names} FROM "${table}"${order === undefined ? '' : ` ORDER BY ${order}`}`)
    .raw(true);
  let count = 0;
  to.exec('BEGIN IMMEDIATE');
  try {
    for (const row of rows.iterate([]) as Iterable<SqlValue[]>) {
      insert.run(row.map(toBound));
      if (++count % AT_ONCE === 0) signal.throwIfAborted();
    }
    andThen(count);
    to.exec('COMMIT');
  } catch (error) {
    if (to.inTransaction) to.exec('ROLLBACK');
    throw error;
  }
  return count;
}

const columnsOf = (connection: Connection, table: string): string[] =>
  (connection.prepare('SELECT name FROM pragma_table_info(?)').raw(true).all([table]) as [string][]).map(
    ([name]) => name,
  );

/** The driver returns blobs as buffers, which it does not bind. */
const toBound = (value: SqlValue): SqlValue => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);
