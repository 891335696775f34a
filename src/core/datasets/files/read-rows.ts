import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { badRequest } from '../../../errors.ts';
import type { FileFormat } from '../contract.ts';

/** A row of a file: its fields by column. `error`: why it has none. */
export type FileRow = {
  /** Line of the file, from 1; the number of the entry for JSON. */
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly error?: string;
};

const FIRST_BYTES = 65_536;

/**
 * Reads the rows of a file in UTF-8, one by one.
 * @throws AppError 400 for bytes that are not UTF-8, CSV or a JSON list
 */
export function readRows(bytes: Uint8Array, format: FileFormat, take: (row: FileRow) => void): void {
  if (!isUtf8(bytes)) throw badRequest('the file is not UTF-8; save it as UTF-8');
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format === 'csv') readCsv(file, take);
  else if (format === 'jsonl') readLines(file, take);
  else readList(file, take);
}

function readCsv(file: Buffer, take: (row: FileRow) => void): void {
  const [first = ''] = file.toString('utf8', 0, FIRST_BYTES).split(/\r?\n/, 1);
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length);
  let columns: readonly string[] | null = null;
  try {
    parse(file, {
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (row: string[], { lines: line }) => {
        if (columns === null) columns = headings(row);
        else take({ line, ...toFields(columns, row) });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw badRequest(`line ${error.lines} of the file is not CSV: ${error.message}`);
  }
}

function headings(row: readonly string[]): readonly string[] {
  const names = row.map((name) => name.trim());
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) !== i);
  if (twice !== undefined) throw badRequest(`the file has two columns ${twice}; rename one`);
  return names;
}

function toFields(columns: readonly string[], row: readonly string[]): Pick<FileRow, 'fields' | 'error'> {
  const fields = Object.fromEntries(
    columns.flatMap((name, i) => (name === '' ? [] : [[name, toCell(row[i] ?? '')] as const])),
  );
  return row.length > columns.length
    ? { fields, error: `has ${row.length} cells, but the header row has ${columns.length}` }
    : { fields };
}

/** A cell that is a JSON object or list means it; an empty one has no value. */
function toCell(text: string): unknown {
  if (text === '') return null;
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readLines(file: Buffer, take: (row: FileRow) => void): void {
  let from = file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf ? 3 : 0;
  for (let line = 1; from < file.length; line++) {
    const end = file.indexOf(10, from);
    const until = end === -1 ? file.length : end;
    const text = file.toString('utf8', from, until).trim();
    if (text !== '') take({ line, ...parseObject(text) });
    from = until + 1;
  }
}

function parseObject(text: string): Pick<FileRow, 'fields' | 'error'> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return { fields: {}, error: 'is not JSON' };
  }
}

const objectOf = (value: unknown): Pick<FileRow, 'fields' | 'error'> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { fields: value as Record<string, unknown> }
    : { fields: {}, error: 'is not a JSON object' };

function readList(file: Buffer, take: (row: FileRow) => void): void {
  const list = parseList(file.toString('utf8'));
  for (const [i, entry] of list.entries()) take({ line: i + 1, ...objectOf(entry) });
}

function parseList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (Array.isArray(value)) return value;
  } catch (error) {
    throw badRequest(`the file is not JSON: ${error instanceof Error ? error.message : 'cannot be parsed'}`);
  }
  throw badRequest('the file is not a JSON list; send a list of objects');
}
