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
  ['drift_tokens', ({ driftTokens }) => driftTokens],
  ['reasons', ({ reasons }) => reasons.map(({ code, text }) => `${code}: ${text}`).join('; ')],
];

/** A field of RFC 4180. What a spreadsheet would take for a formula gets an apostrophe. */
const toField = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** All lines of a comparison as CSV. */
export const toCsv = ({ lines }: Reconciliation): string =>
  [COLUMNS.map(([name]) => name), ...lines.map((line) => COLUMNS.map(([, read]) => toField(read(line))))]
    .map((fields) => `${fields.join(',')}\r\n`)
    .join('');
