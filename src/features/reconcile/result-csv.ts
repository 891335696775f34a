import { toCsv as toLines } from '../../lib/csv.ts';
import type { Reconciliation } from './contract.ts';

type Line = Reconciliation['lines'][number];

const COLUMNS: readonly (readonly [string, (line: Line) => string | number | null])[] = [
  ['day', ({ day }) => day],
  ['provider', ({ provider }) => provider],
  ['model', ({ model }) => model],
  ['export_calls', ({ invoice }) => invoice?.calls ?? null],
  ['books_calls', ({ books }) => books?.calls ?? null],
  ['export_input_tokens', ({ invoice }) => invoice?.inputTokens ?? null],
  ['books_input_tokens', ({ books }) => books?.inputTokens ?? null],
  ['export_cached_tokens', ({ invoice }) => invoice?.cachedTokens ?? null],
  ['books_cached_tokens', ({ books }) => books?.cachedTokens ?? null],
  ['export_output_tokens', ({ invoice }) => invoice?.outputTokens ?? null],
  ['books_output_tokens', ({ books }) => books?.outputTokens ?? null],
  ['export_usd', ({ invoice }) => invoice?.usd ?? null],
  ['books_usd', ({ books }) => books?.usd ?? null],
  ['drift_usd', ({ driftUsd }) => driftUsd],
  ['differs', ({ differs }) => (differs ? 'yes' : 'no')],
  ['drift_tokens', ({ driftTokens }) => driftTokens],
  ['reasons', ({ reasons }) => reasons.map(({ code, text }) => `${code}: ${text}`).join('; ')],
];

/** All lines of a comparison as CSV. */
export const toCsv = ({ lines }: Reconciliation): string =>
  toLines(
    COLUMNS.map(([header, value]) => ({ header, value })),
    lines,
  );
