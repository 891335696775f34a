import { CsvError, parse } from 'csv-parse/sync';
import { badRequest } from '../../../errors.ts';

const MAX_ROWS = 500_000;

/**
 * Reads CSV (RFC 4180: quoted fields, doubled quotes, line breaks within quotes), with commas, semicolons or
 * tabs as the first line has them. Blanks around fields are ignored. The route bounds the bytes.
 * @param take gets the header row and then each row. Rows are handed over one by one, because all rows of an export
 *   as text take ten times its size.
 * @throws AppError 400 for text that is not CSV, without rows or with more than 500,000
 */
export function parseCsv(text: string, take: (row: string[]) => void): void {
  const first = text.slice(0, text.search(/\r?\n|$/));
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length);
  let seen = 0;
  eachRow(text, delimiter, (row) => {
    seen++;
    if (seen <= MAX_ROWS + 1) take(row);
  });
  if (seen < 2) throw badRequest('the export has no rows; send a CSV file with a header row');
  if (seen > MAX_ROWS + 1)
    throw badRequest(`the export has more than ${MAX_ROWS} rows; export a shorter time range`);
}

/** The header row and at most one row too many. */
function eachRow(text: string, delimiter: string, take: (row: string[]) => void): void {
  try {
    parse(text, {
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      to: MAX_ROWS + 2,
      trim: true,
      on_record: (row: string[]) => {
        take(row);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw badRequest(`line ${error.lines} of the export is not CSV: ${error.message}`);
  }
}
