import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { StoredEvent } from '../../core/events/contract.ts';
import { EVENT_FIELDS, type FieldType } from '../../core/events/index.ts';
import type { EventFile } from './event-file.ts';

type Cell = string | number | bigint | boolean | null;
type Element = Omit<SchemaElement, 'name' | 'repetition_type'>;

/**
 * Size of a row group: so many events, or fewer if their JSON texts are long, because a group is held in memory and a
 * column of it is encoded at once. Readers are slow with groups of fewer than 5,000 rows.
 */
const GROUP_ROWS = 5_000;
const GROUP_TEXT = 4_000_000;

const TEXT: Element = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
const ELEMENTS: Record<FieldType, Element> = {
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
};

type RowGroup = ParquetWriter['row_groups'][number];

const FIELDS = Object.entries(EVENT_FIELDS) as [keyof StoredEvent, FieldType][];

const COMPRESSORS = { ZSTD: (page: Uint8Array): Uint8Array => Bun.zstdCompressSync(page) };

/** A writer of some fields. It writes the mark that a file begins with. */
const openWriter = (writer: ByteWriter, fields: typeof FIELDS): ParquetWriter =>
  new ParquetWriter({
    writer,
    schema: [
      { name: 'events', num_children: fields.length },
      ...fields.map(
        ([name, type]): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] }),
      ),
    ],
    codec: 'ZSTD',
    compressors: COMPRESSORS,
    createdBy: 'spanledger',
  });

/**
 * A Parquet file with a column per field of an event, in row groups. JSON fields are their JSON text. Requests are
 * served between the columns of a group.
 * @see https://parquet.apache.org/docs/file-format/
 */
export function openParquet(): EventFile {
  const bytes = new ByteWriter();
  const file = openWriter(bytes, FIELDS);
  let columns: Cell[][] = FIELDS.map(() => []);
  let text = 0;

  /** Whether a group is complete. */
  function add(event: StoredEvent): boolean {
    for (const [i, [name, type]] of FIELDS.entries()) {
      const cell = toCell(event[name], type);
      columns[i]?.push(cell);
      if (type === 'json' && typeof cell === 'string') text += cell.length;
    }
    return (columns[0]?.length ?? 0) >= GROUP_ROWS || text >= GROUP_TEXT;
  }

  async function writeGroup(): Promise<void> {
    const group = columns;
    const rows = group[0]?.length ?? 0;
    if (rows === 0) return;
    columns = FIELDS.map(() => []);
    text = 0;
    const start = bytes.offset;
    const chunks: RowGroup['columns'] = [];
    for (const [i, field] of FIELDS.entries()) {
      chunks.push(...writeColumn(file, field, group[i] ?? []));
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
    async write(events) {
      for (const event of events) if (add(event)) await writeGroup();
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

/** Writes a column of a group to a file: the library writes whole groups, so it is a group of a writer of its own. */
function writeColumn(
  file: ParquetWriter,
  [name, type]: (typeof FIELDS)[number],
  data: Cell[],
): RowGroup['columns'] {
  const column = openWriter(new ByteWriter(), [[name, type]]);
  column.writer = file.writer;
  const source: ColumnSource = { name, data };
  void column.write({ columnData: [source], rowGroupSize: data.length });
  file.pendingIndexes.push(...column.pendingIndexes);
  return column.row_groups.flatMap(({ columns }) => columns);
}

function toCell(value: unknown, type: FieldType): Cell {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.stringify(value);
  if (type === 'integer') return BigInt(value as number);
  if (type === 'time') return BigInt(Date.parse(value as string));
  return value as Cell;
}
