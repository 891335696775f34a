import { withoutControls } from './control-characters.ts';

/** A number in decimal digits, such as `-0.000000001`, which a `number` may not hold exactly. */
export type Digits = { readonly digits: string };

/** What a cell may hold. Null is an empty cell. */
export type CsvValue = string | number | boolean | Digits | null | undefined;

/** A column of a CSV: its heading and the value of a row. */
export type CsvColumn<Row> = { readonly header: string; readonly value: (row: Row) => CsvValue };

/** A heading, if asked for, and a line for each row, each with its line break. */
export function toCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
  { header = true }: { readonly header?: boolean } = {},
): string {
  const lines = rows.map((row) => toLine(columns.map(({ value }) => value(row))));
  if (header) lines.unshift(toLine(columns.map((column) => column.header)));
  return lines.join('');
}

/** RFC 4180: commas, and CRLF at the end. */
const toLine = (values: readonly CsvValue[]): string => `${values.map(toField).join(',')}\r\n`;

/** Nothing in it needs a look. */
const PLAIN = /^[A-Za-z0-9][\w .:/-]*$/;

/**
 * What a spreadsheet may evaluate (OWASP, CSV Injection). Programs pass over blanks, quotes and invisible characters in
 * front of it; the wide forms are those of East Asian keyboards.
 */
const FORMULA = /^(?:[\s"'\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\n])/u;

/** Semicolons and tabs separate cells in some locales; blanks at the ends are lost without quotes. */
const NEEDS_QUOTES = /[",;\t\n]|^\s|\s$/;

/**
 * A field. Numbers stay numbers. Text loses control characters, has line feeds as its only line breaks, and begins with
 * an apostrophe if a spreadsheet could run it as a formula.
 */
function toField(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'object') return value.digits;
  if (PLAIN.test(value) && !value.endsWith(' ')) return value;
  const text = withoutControls(value.replace(/\r\n?/g, '\n'));
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
