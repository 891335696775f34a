/**
 * A word of SQL in lower case: its text without quotes, whether it can name a schema, a table or a column, and its
 * place in the SQL.
 */
export type SqlToken = { readonly text: string; readonly isName: boolean; readonly at: number };

/** Includes string literals, because SQLite accepts 'main' as a name where it needs one. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|([\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*)|\S/giu;

/** The words and signs of SQL, without comments. */
export function sqlTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  for (const match of sql.matchAll(TOKEN)) {
    const [whole, ...names] = match;
    if (whole.startsWith('--') || whole.startsWith('/*')) continue;
    const name = names.find((group) => group !== undefined);
    tokens.push({ text: (name ?? whole).toLowerCase(), isName: name !== undefined, at: match.index });
  }
  return tokens;
}
