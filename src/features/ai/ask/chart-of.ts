import type { AskReply, AskRow } from './contract.ts';

/** How rows are best drawn. */
export function chartOf(rows: readonly AskRow[], groupBy: number): NonNullable<AskReply['chart']> {
  if (rows.some(({ kind }) => kind === 'step')) return 'line';
  if (groupBy === 0) return 'number';
  return groupBy === 1 && rows.filter(({ kind }) => kind === 'group').length <= 20 ? 'bars' : 'table';
}
