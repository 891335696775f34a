import { openParquetFile, type ParquetCell } from '../../../core/parquet/index.ts';
import { type CsvColumn, type CsvValue, toCsv } from '../../../lib/csv.ts';
import { formatInstant } from '../../../lib/time.ts';
import { FOCUS_COLUMNS, type FocusRow } from './columns.ts';
import type { FocusFormat } from './contract.ts';
import { decimalText } from './decimal.ts';

/** A file being written: rows in, bytes out. What rows add may come out with later ones. */
export type FocusFile = {
  write(rows: readonly FocusRow[]): Uint8Array | Promise<Uint8Array>;
  /** The rest of the file. */
  end(): Uint8Array | Promise<Uint8Array>;
};

export const FOCUS_TYPES: Readonly<Record<FocusFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};

type Column = (typeof FOCUS_COLUMNS)[number];

/** Opens a file of a format; without rows it has the columns all the same. */
export const openFocusFile = (format: FocusFormat): FocusFile | Promise<FocusFile> =>
  format === 'csv'
    ? openCsv()
    : openParquetFile(
        'cost_and_usage',
        FOCUS_COLUMNS.map((column) => ({ ...column, value: (row: FocusRow) => parquetCell(row, column) })),
      );

function parquetCell(row: FocusRow, { name, type }: Column): ParquetCell {
  const value = row[name];
  return typeof value === 'number' && (type === 'time' || type === 'integer') ? BigInt(value) : value;
}

const CSV_COLUMNS: readonly CsvColumn<FocusRow>[] = FOCUS_COLUMNS.map((column) => ({
  header: column.name,
  value: (row) => csvCell(row, column),
}));

function csvCell(row: FocusRow, { name, type }: Column): CsvValue {
  const value = row[name];
  if (typeof value === 'bigint') return { digits: decimalText(value) };
  return type === 'time' && typeof value === 'number' ? timeText(value) : value;
}

/** `2026-10-01T00:00:00Z`. */
const timeText = (ms: number): string => `${formatInstant(ms).slice(0, 19)}Z`;

function openCsv(): FocusFile {
  const encoder = new TextEncoder();
  let header = true;
  const write = (rows: readonly FocusRow[]): Uint8Array => {
    const text = toCsv(CSV_COLUMNS, rows, { header });
    header = false;
    return encoder.encode(text);
  };
  return { write, end: () => (header ? write([]) : new Uint8Array()) };
}
