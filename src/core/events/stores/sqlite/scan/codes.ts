import type { SqlValue } from '../../../../../db/connection.ts';
import type { Division } from '../../../../../lib/time-buckets.ts';
import type { EventDimension } from '../../../metrics.ts';
import { namedProvider } from '../../shared/metrics/dimensions.ts';
import type { NumberColumn, TextColumn } from '../columns.ts';
import { tagsOf } from '../labels/labels.ts';
import type { Fields } from '../packs/fields.ts';
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
  operation: 'operation',
  userId: 'user_id',
  sessionId: 'session_id',
} as const satisfies Partial<Record<EventDimension, TextColumn>>;

/** Fields of an event's shape: `packs/fields.ts`. */
const SHAPE_FIELDS = {
  release: 'release',
  agent: 'agent',
  agentVersion: 'agent_version',
  tool: 'tool',
  promptName: 'prompt_name',
  promptVersion: 'prompt_version',
  finishReason: 'finish_reason',
} as const satisfies Partial<Record<EventDimension, keyof Fields>>;

/**
 * The values of a dimension as roll-ups have them: '' where an event has none, numbers of kinds and statuses, providers
 * under one name.
 */
export function codesOf(chunk: Columns, dimension: EventDimension): Codes {
  if (dimension === 'kind' || dimension === 'status')
    return { codes: chunk.bytes(dimension), valueAt: (code) => code };
  if (dimension in SHAPE_FIELDS)
    return codesOfShape(chunk, SHAPE_FIELDS[dimension as keyof typeof SHAPE_FIELDS]);
  const codes = codesOfText(chunk, COLUMNS[dimension as keyof typeof COLUMNS]);
  if (dimension !== 'provider') return codes;
  return { ...codes, valueAt: (code) => namedProvider(codes.valueAt(code)) };
}

/** A field of the events' shapes. Each shape is parsed once. */
function codesOfShape(chunk: Columns, field: keyof Fields): Codes {
  const shapes = chunk.texts('shape');
  const toValue = (shape: number): string => {
    const json = shapes.at(shape);
    const value = json === null ? undefined : (JSON.parse(json) as Fields)[field];
    return typeof value === 'string' ? value : '';
  };
  return codesOfValues(shapes.codes, toValue);
}

/** The tags of events as JSON with the keys in order; null without tags. */
export function codesOfTags(chunk: Columns): Codes {
  const shapes = chunk.texts('shape');
  return codesOfValues(shapes.codes, (shape) => tagsText(tagsOf(shapes.at(shape))));
}

function tagsText(tags: Readonly<Record<string, unknown>> | null): string | null {
  const entries = Object.entries(tags ?? {});
  if (entries.length === 0) return null;
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** The labels of events by a value of each, which is looked up once. */
export const codesOfLabel = (chunk: Columns, toValue: (label: number) => string | null): Codes =>
  codesOfValues(chunk.numbers('label'), toValue);

/** Codes of what `toValue` gives for each distinct number. */
function codesOfValues(numbers: ArrayLike<number>, toValue: (number: number) => SqlValue): Codes {
  const codes = new Uint32Array(numbers.length);
  const ofNumber = new Map<number, number>();
  const ofValue = new Map<SqlValue, number>();
  const values: SqlValue[] = [];
  for (let place = 0; place < codes.length; place++) {
    const number = numbers[place] as number;
    let code = ofNumber.get(number);
    if (code === undefined) {
      const value = toValue(number);
      code = ofValue.get(value) ?? values.push(value) - 1;
      ofValue.set(value, code);
      ofNumber.set(number, code);
    }
    codes[place] = code;
  }
  return { codes, valueAt: (code) => values[code] ?? null };
}

/** A column of texts; '' for null. */
export function codesOfText(chunk: Columns, column: TextColumn): Codes {
  const { codes, at } = chunk.texts(column);
  return { codes, valueAt: (code) => at(code) ?? '' };
}

/** The number of each event's bucket. */
export function codesOfTime(chunk: Columns, { numberOf }: Pick<Division, 'numberOf'>): Codes {
  const first = numberOf(chunk.first);
  const codes = new Uint32Array(chunk.events);
  if (numberOf(chunk.last) > first) {
    const ts = chunk.numbers('ts');
    for (let place = 0; place < codes.length; place++) codes[place] = numberOf(ts[place] as number) - first;
  }
  return { codes, valueAt: (code) => first + code };
}

/** One value for all events. */
export const constantCodes = (chunk: Columns, value: number): Codes => ({
  codes: new Uint8Array(chunk.events),
  valueAt: () => value,
});

/** A column of numbers with few distinct values; null for NaN. */
export const codesOfNumber = (chunk: Columns, column: NumberColumn): Codes =>
  codesOfValues(chunk.numbers(column), (value) => (Number.isNaN(value) ? null : value));
