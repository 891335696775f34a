import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { DEFAULT_REDACT_KEYS } from '../../lib/sensitive-keys.ts';
import type { StateQuery } from './entry.ts';

/** A kind of audited subject, with the columns that entries may show. */
export type Subject = {
  /** `api_key`, `project`, … */
  readonly type: string;
  /** The query for the state of one subject, run inside the transaction. */
  readonly stateOf: (ids: readonly string[]) => StateQuery;
};

/** Forbidden column names, because the log keeps the state of a subject permanently. */
const NEVER = [...DEFAULT_REDACT_KEYS, 'hash', 'tokenhash', 'refreshtoken', 'accesstoken', 'idtoken'].map(
  (name) => name.replace(/[-_]/g, ''),
);

/**
 * Declares which columns of a table's rows the audit log shows. It shows only these, so that no secret is logged by
 * accident. Booleans, times (ISO 8601 UTC) and JSON columns keep their types.
 * @param key the columns that identify a row; default `id`
 * @throws Error for a column with the name of a secret
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
