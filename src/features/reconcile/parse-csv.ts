import { badRequest } from '../../errors.ts';

/** A table as text: headings in lower case, rows as long as they are. */
export type CsvTable = { readonly headings: readonly string[]; readonly rows: readonly string[][] };

const MAX_ROWS = 500_000;

/**
 * Reads CSV (RFC 4180: quoted fields, doubled quotes, line breaks within quotes), with commas, semicolons or
 * tabs as the first line has them. Throws 400 where there are no rows, or too many.
 */
export function parseCsv(text: string): CsvTable {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const first = plain.slice(0, plain.search(/\r?\n|$/));
  const [separator = ','] = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length);
  const lines = readLines(plain, separator);
  const [headings, ...rows] = lines;
  if (headings === undefined || rows.length === 0)
    throw badRequest('the export has no rows; send a CSV file with its line of headings');
  return { headings: headings.map((name) => name.trim().toLowerCase()), rows };
}

function readLines(text: string, separator: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field: string;
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      field = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      let end = at;
      while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
      field = text.slice(at, end);
      at = end;
    }
    line.push(field);
    if (text[at] === separator) {
      at++;
      if (at >= text.length || text[at] === '\n' || text[at] === '\r') line.push('');
      else continue;
    }
    while (at < text.length && text[at] !== '\n') at++;
    at++;
    if (line.length > 1 || line[0] !== '') lines.push(line);
    if (lines.length > MAX_ROWS)
      throw badRequest(`the export has more than ${MAX_ROWS} rows; send a shorter time`);
    line = [];
  }
  return lines;
}

/** The place of the quote that ends a field; the end of the text where it has none. */
function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] !== '"') return at;
    at++;
  }
  return text.length;
}
