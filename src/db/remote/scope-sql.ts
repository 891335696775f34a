import type { OwnedTable } from '../owned-table.ts';
import { sqlTokens } from '../sql-tokens.ts';

/** The rows that may be seen: of projects by number, and of an organization. */
export type Scope = { readonly projects: readonly number[]; readonly organizationId: string | null };

/**
 * Puts before a reading statement a view of every table that it names, with the rows of the scope only. On a file these
 * are temporary views of the connection, which servers do not allow. A name without a schema means the view, and
 * `refuseEscape` refuses schemas.
 * @param tables all tables of the database by name in lower case; of those without a declaration no row is seen
 */
export function scopeSql(
  sql: string,
  scope: Scope,
  tables: ReadonlyMap<string, OwnedTable | undefined>,
): string {
  const tokens = sqlTokens(sql);
  const named = new Set(tokens.filter(({ text }) => tables.has(text)).map(({ text }) => text));
  if (named.size === 0) return sql;
  const views = [...named].map(
    (name) => `"${name}" AS NOT MATERIALIZED (${viewOf(name, tables.get(name), scope)})`,
  );
  const words = tokens.map(({ text, isName }) => (isName ? text : ''));
  const start = words[0] === 'explain' ? (words[1] === 'query' ? 3 : 1) : 0;
  const isWith = words[start] === 'with';
  const isRecursive = isWith && words[start + 1] === 'recursive';
  const after = tokens[start + (isWith ? 1 : 0) + (isRecursive ? 1 : 0)]?.at ?? sql.length;
  const before = sql.slice(0, tokens[start]?.at ?? 0);
  const rest = sql.slice(after);
  return `${before}WITH ${isRecursive ? 'RECURSIVE ' : ''}${views.join(', ')}${isWith ? ', ' : ' '}${rest}`;
}

function viewOf(name: string, table: OwnedTable | undefined, scope: Scope): string {
  const all = `SELECT * FROM main."${name}"`;
  if (table?.readable) {
    if (table.scope === 'public') return all;
    if (table.scope === 'project' && table.by === 'project')
      return `${all} WHERE project IN (${scope.projects.map(wholeNumber).join(', ')})`;
    if (table.scope === 'organization' && scope.organizationId !== null)
      return `${all} WHERE ${table.by} = '${scope.organizationId.replaceAll("'", "''")}'`;
  }
  return 'SELECT NULL AS hidden WHERE FALSE';
}

function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error('the number of a project is a whole number');
  return String(value);
}
