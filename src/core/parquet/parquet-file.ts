import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';

/** A value of a column: dates as milliseconds and decimals as unscaled numbers are bigints. */
export type ParquetCell = string | number | bigint | boolean | null;

/** The type of a column. JSON is its text. A decimal has 38 digits, `DECIMAL_SCALE` of them after the point. */
export type ParquetType = 'text' | 'json' | 'integer' | 'number' | 'flag' | 'time' | 'decimal';

export type ParquetColumn<Row> = {
  readonly name: string;
  readonly type: ParquetType;
  /** A column that never is null; by default it may be. */
  readonly required?: boolean;
  readonly value: (row: Row) => ParquetCell;
};

/** A file being written: rows in, bytes out. What rows add may come out with later ones. */
export type ParquetFile<Row> = {
  write(rows: readonly Row[]): Promise<Uint8Array>;
  /** The rest of the file. */
  end(): Promise<Uint8Array>;
};

/** Digits after the point of a decimal. */
export const DECIMAL_SCALE = 18;
const DECIMAL_PRECISION = 38;
const DECIMAL_BYTES = 16;

/**
 * Size of a row group: so many rows, or fewer if their JSON texts are long, because a group is held in memory and a
 * column of it is encoded at once. Readers are slow with groups of fewer than 5,000 rows.
 */
const GROUP_ROWS = 5_000;
const GROUP_TEXT = 4_000_000;

type Element = Omit<SchemaElement, 'name' | 'repetition_type'>;

const TEXT: Element = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
const ELEMENTS: Record<ParquetType, Element> = {
  text: TEXT,
  json: TEXT,
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  decimal: {
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: DECIMAL_BYTES,
    converted_type: 'DECIMAL',
    logical_type: { type: 'DECIMAL', precision: DECIMAL_PRECISION, scale: DECIMAL_SCALE },
    precision: DECIMAL_PRECISION,
    scale: DECIMAL_SCALE,
  },
};

type RowGroup = ParquetWriter['row_groups'][number];
type Columns<Row> = readonly ParquetColumn<Row>[];

const COMPRESSORS = { ZSTD: (page: Uint8Array): Uint8Array => Bun.zstdCompressSync(page) };

/** A writer of some columns. It writes the mark that a file begins with. */
const openWriter = <Row>(writer: ByteWriter, root: string, columns: Columns<Row>): ParquetWriter =>
  new ParquetWriter({
    writer,
    schema: [
      { name: root, num_children: columns.length },
      ...columns.map(
        ({ name, type, required = false }): SchemaElement => ({
          name,
          repetition_type: required ? 'REQUIRED' : 'OPTIONAL',
          ...ELEMENTS[type],
        }),
      ),
    ],
    codec: 'ZSTD',
    compressors: COMPRESSORS,
    createdBy: 'spanledger',
  });

/**
 * A Parquet file in row groups, compressed with ZSTD. Requests are served between the columns of a group.
 * @param root name of the schema's root, such as `events`
 * @see https://parquet.apache.org/docs/file-format/
 */
export function createParquetFile<Row>(root: string, all: Columns<Row>): ParquetFile<Row> {
  const bytes = new ByteWriter();
  const file = openWriter(bytes, root, all);
  let cells: ParquetCell[][] = all.map(() => []);
  let text = 0;

  /** Whether a group is complete. */
  function add(row: Row): boolean {
    for (const [i, { type, value }] of all.entries()) {
      const cell = value(row);
      cells[i]?.push(cell);
      if (type === 'json' && typeof cell === 'string') text += cell.length;
    }
    return (cells[0]?.length ?? 0) >= GROUP_ROWS || text >= GROUP_TEXT;
  }

  /** Writes a column of a group: the library writes whole groups, so it is a group of a writer of its own. */
  function writeColumn(column: ParquetColumn<Row>, data: ParquetCell[]): RowGroup['columns'] {
    const own = openWriter(new ByteWriter(), root, [column]);
    own.writer = file.writer;
    const source: ColumnSource = { name: column.name, data };
    void own.write({ columnData: [source], rowGroupSize: data.length });
    file.pendingIndexes.push(...own.pendingIndexes);
    return own.row_groups.flatMap(({ columns }) => columns);
  }

  async function writeGroup(): Promise<void> {
    const group = cells;
    const rows = group[0]?.length ?? 0;
    if (rows === 0) return;
    cells = all.map(() => []);
    text = 0;
    const start = bytes.offset;
    const chunks: RowGroup['columns'] = [];
    for (const [i, column] of all.entries()) {
      chunks.push(...writeColumn(column, group[i] ?? []));
      await new Promise(setImmediate);
    }
    file.num_rows += BigInt(rows);
    file.row_groups.push({
      columns: chunks,
      total_byte_size: chunks.reduce(
        (sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n),
        0n,
      ),
      total_compressed_size: BigInt(bytes.offset - start),
      num_rows: BigInt(rows),
    });
  }

  /** What was written since the last call. */
  function take(): Uint8Array {
    const written = new Uint8Array(bytes.buffer.slice(0, bytes.index));
    bytes.index = 0;
    return written;
  }

  return {
    async write(rows) {
      for (const row of rows) if (add(row)) await writeGroup();
      return take();
    },
    async end() {
      await writeGroup();
      // A writer in memory is done when it returns; only writers of files return promises.
      void file.finish();
      return take();
    },
  };
}
