import { badRequest } from '../errors.ts';

/** A word of SQL: its text without quotes, and whether it can name a schema or a table. */
type Token = { readonly text: string; readonly isName: boolean };

/** Strings too: SQLite takes 'main' for a name where it needs one. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|([\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*)|\S/giu;

const READS = ['select', 'with', 'values'];
/** The real tables behind the views of a scope, the views' own, and what tells of all tables. */
const HIDDEN_SCHEMAS = ['main', 'temp'];
const HIDDEN_TABLE = /^(sqlite_|pragma_|dbstat$|scope)/;

/**
 * Refuses SQL that could see past the views of a scoped reader: it has to be one statement that reads and
 * names no schema and no table of SQLite's own.
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
    if (HIDDEN_TABLE.test(text)) throw badRequest(`There is no table or function ${text} here`);
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
