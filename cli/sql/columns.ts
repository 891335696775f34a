import { type StoredEvent, storedEventSchema } from '../../src/core/events/contract.ts';
import { EVENT_FIELDS, type FieldType } from '../../src/core/events/index.ts';

/** A value of a row. */
export type Value = string | number | null;

/** A column of the table `events`. */
export interface EventColumn {
  readonly name: string;
  readonly type: 'TEXT' | 'INTEGER' | 'REAL';
  readonly description: string;
  readonly value: (event: StoredEvent) => Value;
}

const TYPES: Record<FieldType, EventColumn['type']> = {
  text: 'TEXT',
  time: 'TEXT',
  json: 'TEXT',
  integer: 'INTEGER',
  flag: 'INTEGER',
  number: 'REAL',
};
const NOTES: Partial<Record<FieldType, string>> = { json: ' JSON text.', flag: ' 1 or 0.' };

const toValue = (value: unknown, type: FieldType): Value => {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.stringify(value);
  return typeof value === 'boolean' ? Number(value) : (value as string | number);
};

const TS: EventColumn = {
  name: 'ts',
  type: 'INTEGER',
  description: 'Time of the event in epoch milliseconds.',
  value: ({ timestamp }) => Date.parse(timestamp),
};

/** The columns of `events`: the fields that the API returns, and `ts`. */
export const eventColumns: readonly EventColumn[] = (
  Object.entries(EVENT_FIELDS) as [keyof StoredEvent, FieldType][]
).flatMap(([name, type]) => {
  const description = `${storedEventSchema.shape[name].description}${NOTES[type] ?? ''}`;
  const column: EventColumn = {
    name,
    type: TYPES[type],
    description,
    value: (event) => toValue(event[name], type),
  };
  return name === 'timestamp' ? [column, TS] : [column];
});
