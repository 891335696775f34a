import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { DEFAULT_REDACT_KEYS } from '../../lib/redact.ts';
import type { StateQuery } from './entry.ts';

/** A kind of thing that entries tell of, with the columns that they may show. */
export type Subject = {
  /** `api_key`, `project`, … */
  readonly type: string;
  /** How the state of one is read inside the transaction. */
  readonly stateOf: (ids: readonly string[]) => StateQuery;
};

/** Names that no shown column may have: the state of a thing goes into the log for good. */
const NEVER = [...DEFAULT_REDACT_KEYS, 'hash', 'tokenhash', 'refreshtoken', 'accesstoken', 'idtoken'].map(
  (name) => name.replace(/[-_]/g, ''),
);

/**
 * Declares what the audit log shows of a table's rows: only the columns named here, so that a secret gets
 * in by no accident. Booleans, times (ISO 8601 UTC) and JSON columns are shown as such.
 * @param key the columns that tell a row; `id` unless given
 * @throws Error for a column whose name is that of a secret
 * @example const projectSubject = defineSubject('project', projects, ['name', 'storePrompts']);
 */
export function defineSubject<T extends SQLiteTable>(
  type: string,
  table: T,
  columns: readonly (keyof T['_']['columns'] & string)[],
  key: readonly (keyof T['_']['columns'] & string)[] = ['id'],
): Subject {
  const known = getTableColumns(table) as Record<string, SQLiteColumn>;
  const columnOf = (name: string): SQLiteColumn => {
    const column = known[name];
    if (column === undefined) throw new Error(`${type} has no column ${name}`);
    return column;
  };
  for (const name of columns) {
    if (NEVER.includes(name.toLowerCase())) throw new Error(`${type}.${name} must not be audited`);
  }
  const shown = columns.map((name) => `'${name}', ${toJson(columnOf(name))}`);
  const conditions = key.map((name) => `"${columnOf(name).name}" = ?`);
  const sql = `SELECT json_object(${shown.join(', ')}) FROM "${getTableName(table)}" WHERE ${conditions.join(' AND ')}`;
  return { type, stateOf: (ids) => ({ sql, args: [...ids] }) };
}

function toJson({ name, dataType }: SQLiteColumn): string {
  if (dataType === 'boolean')
    return `json(CASE "${name}" WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END)`;
  if (dataType === 'date') return `strftime('%Y-%m-%dT%H:%M:%fZ', "${name}" / 1000.0, 'unixepoch')`;
  return dataType === 'json' ? `json(coalesce("${name}", 'null'))` : `"${name}"`;
}
