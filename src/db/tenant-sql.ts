import { badRequest } from '../errors.ts';
import { sqlTokens } from './sql-tokens.ts';

/** EXPLAIN does not run the statement. */
const READS = ['select', 'with', 'values', 'explain'];
/** Hidden names: schemas of the underlying tables and of the views, and names that list tables. */
const HIDDEN_SCHEMAS = ['main', 'temp'];
const HIDDEN_PREFIX = /^(sqlite_|sqlite3mc_|pragma_)/;
/** Functions and virtual tables of the driver that access files, run SQL or inspect other tables. */
const HIDDEN_NAMES: ReadonlySet<string> = new Set([
  'readfile',
  'writefile',
  'lsmode',
  'fsdir',
  'load_extension',
  'sha3_query',
  'fts3_tokenizer',
  'rtreecheck',
  'carray',
  'dbstat',
  'libsql_vector_idx',
  'vector_top_k',
]);

/** Whether a scoped reader's SQL must not use a table or function of this name (lower case). */
export const isHiddenName = (name: string): boolean => HIDDEN_PREFIX.test(name) || HIDDEN_NAMES.has(name);

/**
 * Refuses SQL that could bypass the views of a scoped reader. It must be one reading statement and must not name a
 * schema, an internal table of SQLite or a function with access beyond its arguments.
 * @throws AppError 400 that says what is not allowed
 */
export function refuseEscape(sql: string): void {
  const tokens = sqlTokens(sql);
  if (tokens.at(-1)?.text === ';') tokens.pop();
  const [first] = tokens;
  if (first === undefined || !READS.includes(first.text)) throw badRequest('The SQL has to be a SELECT');
  for (const [i, { text, isName }] of tokens.entries()) {
    if (!isName && text === ';') throw badRequest('The SQL has to be a single statement');
    if (!isName) continue;
    if (HIDDEN_SCHEMAS.includes(text) && tokens[i + 1]?.text === '.')
      throw badRequest(`The SQL may not name a schema: write the table without ${text}`);
    if (isHiddenName(text)) throw badRequest(`There is no table or function ${text} here`);
  }
}
