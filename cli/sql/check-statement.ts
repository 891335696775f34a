import { type SqlToken, sqlTokens } from '../../src/db/sql-tokens.ts';
import { usageError } from '../user-error.ts';

/** A statement that may run: its SQL without a final semicolon, and the columns to load for it. */
export interface Statement {
  readonly sql: string;
  /** Whether it may use the column of this name. */
  readonly mentions: (column: string) => boolean;
}

const WRITES: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'replace']);

/**
 * Refuses SQL that is not a single SELECT, with or without WITH.
 * @throws {UserError} usage (2)
 */
export const checkStatement = (given: string): Statement => {
  const tokens = sqlTokens(given);
  let end = given.length;
  while (tokens.at(-1)?.text === ';') end = tokens.pop()?.at ?? end;
  const [first] = tokens;
  if (first === undefined) throw usageError('The statement is empty', 'Write a SELECT');
  if (tokens.some(({ text, isName }) => text === ';' && !isName))
    throw usageError('There are several statements', 'Run one statement at a time');
  if (first.text !== 'select' && first.text !== 'with')
    throw usageError(
      `A statement has to start with SELECT or WITH, not ${first.text.toUpperCase()}`,
      'It may only read the events',
    );
  if (first.text === 'with') refuseWrite(tokens);
  const names = new Set(tokens.filter(({ isName }) => isName).map(({ text }) => text));
  const all = usesAll(tokens) || names.has('natural');
  return { sql: given.slice(0, end), mentions: (column) => all || names.has(column) };
};

/** WITH may precede a write: the verb is the first one outside of parentheses, unless a table has its name. */
const refuseWrite = (tokens: readonly SqlToken[]): void => {
  let depth = 0;
  for (const [i, { text, isName }] of tokens.entries()) {
    if (!isName && text === '(') depth++;
    if (!isName && text === ')') depth--;
    if (depth > 0) continue;
    if (text === 'select' || text === 'values') return;
    if (WRITES.has(text) && !['as', '('].includes(tokens[i + 1]?.text ?? ''))
      throw usageError(`${text.toUpperCase()} is not allowed`, 'A statement may only read the events');
  }
};

/** Whether a `*` stands for all columns: not in `count(*)`, and not between two factors. */
const usesAll = (tokens: readonly SqlToken[]): boolean =>
  tokens.some(({ text, isName }, i) => {
    const before = tokens[i - 1]?.text ?? '';
    return text === '*' && !isName && ['select', 'distinct', 'all', ',', '.'].includes(before);
  });
