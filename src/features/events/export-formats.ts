import type { StoredEvent } from '../../core/events/contract.ts';
import { openParquetFile } from '../../core/parquet/index.ts';
import { badRequest } from '../../errors.ts';
import { type CsvColumn, toCsv } from '../../lib/csv.ts';
import type { EventFile } from './event-file.ts';
import { PARQUET_COLUMNS } from './parquet-columns.ts';

type Format = {
  readonly type: string;
  /** @param fields those of a CSV; the other formats have all */
  open(fields?: readonly string[]): EventFile | Promise<EventFile>;
};

const CSV_FIELDS = [
  'timestamp',
  'event_id',
  'trace_id',
  'span_id',
  'parent_span_id',
  'kind',
  'name',
  'provider',
  'model',
  'operation',
  'status',
  'error_code',
  'error_message',
  'latency_ms',
  'ttft_ms',
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost_usd',
  'cost_status',
  'stream',
  'environment',
  'user_id',
  'session_id',
  'agent',
  'agent_version',
  'tool',
  'release',
  'prompt_name',
  'prompt_version',
  'prompt_hash',
  'sdk_version',
  'finish_reason',
  'tags',
  'metadata',
] as const satisfies (keyof StoredEvent)[];

const CSV_COLUMNS: readonly CsvColumn<StoredEvent>[] = CSV_FIELDS.map((header) => ({
  header,
  value: (event) => {
    const value = event[header];
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  },
}));

/** The columns of a CSV, in the given order. @throws AppError 400 for an unknown field */
export function csvColumns(fields: readonly string[]): readonly CsvColumn<StoredEvent>[] {
  return fields.map((field) => {
    const column = CSV_COLUMNS.find(({ header }) => header === field);
    if (column === undefined)
      throw badRequest(`fields: ${field} is no field of the CSV; choose from ${CSV_FIELDS.join(', ')}`);
    return column;
  });
}

const NOTHING = new Uint8Array();
const encoder = new TextEncoder();

const ndjson: EventFile = {
  write: (events) => encoder.encode(events.map((event) => `${JSON.stringify(event)}\n`).join('')),
  end: () => NOTHING,
};

/** With a heading, also if there are no events. */
function openCsv(fields?: readonly string[]): EventFile {
  const columns = fields === undefined ? CSV_COLUMNS : csvColumns(fields);
  let header = true;
  return {
    write(events) {
      const text = toCsv(columns, events, { header });
      header = false;
      return encoder.encode(text);
    },
    end: () => NOTHING,
  };
}

/** The formats of exported events: CSV for spreadsheets, the others with all fields. */
export const FORMATS = {
  ndjson: { type: 'application/x-ndjson; charset=utf-8', open: () => ndjson },
  csv: { type: 'text/csv; charset=utf-8', open: openCsv },
  parquet: {
    type: 'application/vnd.apache.parquet',
    open: () => openParquetFile('events', PARQUET_COLUMNS),
  },
} as const satisfies Record<string, Format>;
