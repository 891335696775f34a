/** One column of a CSV: its heading and the value of a row. */
export interface CsvColumn<Row> {
  readonly header: string;
  readonly value: (row: Row) => string | number | null | undefined;
}

/**
 * Rows as CSV (RFC 4180: CRLF, quotes doubled). Text that a spreadsheet would run as a formula is prefixed with an
 * apostrophe (OWASP, CSV Injection). Numbers stay numbers; null is empty.
 */
export const toCsv = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string => {
  const lines = [
    columns.map(({ header }) => header),
    ...rows.map((row) => columns.map(({ value }) => cell(value(row)))),
  ];
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
};

const cell = (value: string | number | null | undefined): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
