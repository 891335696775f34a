import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { badRequest } from '../../../errors.ts';

const MAX_ROWS = 500_000;
/** Bytes in which the delimiter is looked for. */
const FIRST_BYTES = 65_536;

/**
 * Reads CSV in UTF-8 (RFC 4180: quoted fields, doubled quotes, line breaks within quotes), with commas, semicolons or
 * tabs as the first line has them. Blanks around fields are ignored. The route bounds the bytes.
 * @param take gets the header row and then each row. Rows are handed over one by one, because all rows of an export
 *   as text take ten times its size.
 * @throws AppError 400 for bytes that are not CSV in UTF-8, without rows or with more than 500,000
 */
export function parseCsv(bytes: Uint8Array, take: (row: string[]) => void): void {
  if (!isUtf8(bytes)) throw badRequest('the export is not UTF-8; save it as CSV in UTF-8');
  // Not as one text, which would take its memory once more.
  const csv = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [first = ''] = csv.toString('utf8', 0, FIRST_BYTES).split(/\r?\n/, 1);
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length);
  let seen = 0;
  eachRow(csv, delimiter, (row) => {
    seen++;
    if (seen <= MAX_ROWS + 1) take(row);
  });
  if (seen < 2) throw badRequest('the export has no rows; send a CSV file with a header row');
  if (seen > MAX_ROWS + 1)
    throw badRequest(`the export has more than ${MAX_ROWS} rows; export a shorter time range`);
}

/** The header row and at most one row too many. */
function eachRow(csv: Buffer, delimiter: string, take: (row: string[]) => void): void {
  try {
    parse(csv, {
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
