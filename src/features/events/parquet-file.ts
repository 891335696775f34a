import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { StoredEvent } from '../../core/events/contract.ts';
import { EVENT_FIELDS, type FieldType } from '../../core/events/index.ts';
import type { EventFile } from './event-file.ts';

type Cell = string | number | bigint | boolean | null;
type Element = Omit<SchemaElement, 'name' | 'repetition_type'>;

/**
 * Size of a row group: so many events, or fewer if their JSON texts are long, because a group is held in memory.
 * Readers are slow with groups of fewer than 5,000 rows.
 */
const GROUP_ROWS = 5_000;
const GROUP_TEXT = 16_000_000;

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

const FIELDS = Object.entries(EVENT_FIELDS) as [keyof StoredEvent, FieldType][];

const SCHEMA: SchemaElement[] = [
  { name: 'events', num_children: FIELDS.length },
  ...FIELDS.map(([name, type]): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] })),
];

const COMPRESSORS = { ZSTD: (page: Uint8Array): Uint8Array => Bun.zstdCompressSync(page) };

/**
 * A Parquet file with a column per field of an event, in row groups. JSON fields are their JSON text.
 * @see https://parquet.apache.org/docs/file-format/
 */
export function openParquet(): EventFile {
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: SCHEMA,
    codec: 'ZSTD',
    compressors: COMPRESSORS,
    createdBy: 'spanledger',
  });
  let columns: Cell[][] = FIELDS.map(() => []);
  let text = 0;

  function add(event: StoredEvent): void {
    for (const [i, [name, type]] of FIELDS.entries()) {
      const cell = toCell(event[name], type);
      columns[i]?.push(cell);
      if (type === 'json' && typeof cell === 'string') text += cell.length;
    }
    if ((columns[0]?.length ?? 0) >= GROUP_ROWS || text >= GROUP_TEXT) writeGroup();
  }

  function writeGroup(): void {
    const rows = columns[0]?.length ?? 0;
    if (rows === 0) return;
    const columnData: ColumnSource[] = FIELDS.map(([name], i) => ({ name, data: columns[i] ?? [] }));
    // A writer in memory is done when it returns; only writers of files return promises.
    void file.write({ columnData, rowGroupSize: rows });
    columns = FIELDS.map(() => []);
    text = 0;
  }

  /** What was written since the last call. */
  function take(): Uint8Array {
    const written = new Uint8Array(bytes.buffer.slice(0, bytes.index));
    bytes.index = 0;
    return written;
  }

  return {
    write(events) {
      for (const event of events) add(event);
      return take();
    },
    end() {
      writeGroup();
      void file.finish();
      return take();
    },
  };
}

function toCell(value: unknown, type: FieldType): Cell {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.stringify(value);
  if (type === 'integer') return BigInt(value as number);
  if (type === 'time') return BigInt(Date.parse(value as string));
  return value as Cell;
}
