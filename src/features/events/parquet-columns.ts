import type { StoredEvent } from '../../core/events/contract.ts';
import { EVENT_FIELDS, type FieldType } from '../../core/events/index.ts';
import type { ParquetCell, ParquetColumn } from '../../core/parquet/index.ts';

const FIELDS = Object.entries(EVENT_FIELDS) as [keyof StoredEvent, FieldType][];

/** A column per field of an event. JSON fields are their JSON text. */
export const PARQUET_COLUMNS: readonly ParquetColumn<StoredEvent>[] = FIELDS.map(([name, type]) => ({
  name,
  type,
  value: (event) => toCell(event[name], type),
}));

function toCell(value: unknown, type: FieldType): ParquetCell {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.stringify(value);
  if (type === 'integer') return BigInt(value as number);
  if (type === 'time') return BigInt(Date.parse(value as string));
  return value as ParquetCell;
}
