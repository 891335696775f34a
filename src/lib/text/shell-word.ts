/** A text as one word of a POSIX shell, in quotes where it needs them: `ledger.db`, `'a b.db'`. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
