import { badRequest } from '../errors.ts';

/** A word of SQL: its text without quotes, and whether it can name a schema or a table. */
type Token = { readonly text: string; readonly isName: boolean };

/** Strings too: SQLite takes 'main' for a name where it needs one. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|([\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*)|\S/giu;

/** EXPLAIN runs nothing. */
const READS = ['select', 'with', 'values', 'explain'];
/** The real tables behind the views of a scope, the views' own, and what tells of all tables. */
const HIDDEN_SCHEMAS = ['main', 'temp'];
const HIDDEN_PREFIX = /^(sqlite_|sqlite3mc_|pragma_)/;
/** What the driver brings that reads or writes files, runs SQL of its own or looks into other tables. */
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

/** Whether SQL of a scoped reader may not use a table or function of this name (lower case). */
export const isHiddenName = (name: string): boolean => HIDDEN_PREFIX.test(name) || HIDDEN_NAMES.has(name);

/**
 * Refuses SQL that could see past the views of a scoped reader: it has to be one statement that reads, and
 * may name no schema, no table of SQLite's own and no function that reaches further than its arguments.
 * @throws AppError 400 that says what is not allowed
 */
export function refuseEscape(sql: string): void {
  const tokens = tokensOf(sql);
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

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const match of sql.matchAll(TOKEN)) {
    const [whole, ...names] = match;
    if (whole.startsWith('--') || whole.startsWith('/*')) continue;
    const name = names.find((group) => group !== undefined);
    tokens.push({ text: (name ?? whole).toLowerCase(), isName: name !== undefined });
  }
  return tokens;
}
