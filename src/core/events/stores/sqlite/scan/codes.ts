import type { SqlValue } from '../../../../../db/connection.ts';
import type { EventDimension } from '../../../metrics.ts';
import type { NumberColumn, TextColumn } from '../columns.ts';
import type { Columns } from './select-events.ts';

/** A small integer per event of a chunk, and the value that it stands for. */
export type Codes = {
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  valueAt(code: number): SqlValue;
};

/** The values of an event, by its place. */
export const keyAt = (keys: readonly Codes[], place: number): SqlValue[] =>
  keys.map(({ codes, valueAt }) => valueAt(codes[place] as number));

const COLUMNS = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  errorCode: 'error_code',
  userId: 'user_id',
  sessionId: 'session_id',
} as const satisfies Partial<Record<EventDimension, TextColumn>>;

/** The values of a dimension as roll-ups have them: '' where an event has none, numbers of kinds and statuses. */
export function codesOf(chunk: Columns, dimension: EventDimension): Codes {
  if (dimension !== 'kind' && dimension !== 'status') return codesOfText(chunk, COLUMNS[dimension]);
  return { codes: chunk.bytes(dimension), valueAt: (code) => code };
}

/** A column of texts; '' for null. */
export function codesOfText(chunk: Columns, column: TextColumn): Codes {
  const { codes, at } = chunk.texts(column);
  return { codes, valueAt: (code) => at(code) ?? '' };
}

/** The number of each event's bucket: its time divided by the bucket's length. */
export function codesOfTime(chunk: Columns, bucketMs: number): Codes {
  const first = Math.floor(chunk.first / bucketMs);
  const codes = new Uint32Array(chunk.events);
  if (Math.floor(chunk.last / bucketMs) > first) {
    const ts = chunk.numbers('ts');
    for (let place = 0; place < codes.length; place++)
      codes[place] = Math.floor((ts[place] as number) / bucketMs) - first;
  }
  return { codes, valueAt: (code) => first + code };
}

/** A column of numbers with few distinct values; null for NaN. */
export function codesOfNumber(chunk: Columns, column: NumberColumn): Codes {
  const numbers = chunk.numbers(column);
  const codes = new Uint32Array(chunk.events);
  const known = new Map<number, number>();
  const values: number[] = [];
  for (let place = 0; place < codes.length; place++) {
    const value = numbers[place] as number;
    let code = known.get(value);
    if (code === undefined) {
      code = values.push(value) - 1;
      known.set(value, code);
    }
    codes[place] = code;
  }
  return {
    codes,
    valueAt(code) {
      const value = values[code] as number;
      return Number.isNaN(value) ? null : value;
    },
  };
}
