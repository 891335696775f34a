import { CsvError, parse } from 'csv-parse/sync';
import { badRequest } from '../../../errors.ts';

/** A table as text: headings in lower case, rows as long as they are. */
export type CsvTable = { readonly headings: readonly string[]; readonly rows: readonly string[][] };

const MAX_ROWS = 500_000;

/**
 * Reads CSV (RFC 4180: quoted fields, doubled quotes, line breaks within quotes), with commas, semicolons or
 * tabs as the first line has them. Blanks around fields are ignored. The route bounds the bytes.
 * @throws AppError 400 for text that is not CSV, without rows or with more than 500,000
 */
export function parseCsv(text: string): CsvTable {
  const first = text.slice(0, text.search(/\r?\n|$/));
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length);
  const [headings, ...rows] = readRows(text, delimiter);
  if (headings === undefined || rows.length === 0)
    throw badRequest('the export has no rows; send a CSV file with a header row');
  if (rows.length > MAX_ROWS)
    throw badRequest(`the export has more than ${MAX_ROWS} rows; export a shorter time range`);
  return { headings: headings.map((name) => name.toLowerCase()), rows };
}

/** The headings and at most one row too many. */
function readRows(text: string, delimiter: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      to: MAX_ROWS + 2,
      trim: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw badRequest(`line ${error.lines} of the export is not CSV: ${error.message}`);
  }
}
