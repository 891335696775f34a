import type { SqlValue } from '../../../../../db/connection.ts';
import { formatInstant } from '../../../../../lib/time.ts';
import { inputTokens, outputTokens, type UsageBuckets } from '../../../../pricing/index.ts';
import { COST_STATUSES, EVENT_KINDS, EVENT_STATUSES, type StoredEvent } from '../../../contract.ts';
import type { ParsedEvent, Pricing } from '../../../event.ts';
import { bytesToUuid, idToWire, unpackId, wireToId } from './ids.ts';
import { COST_STATUS, KIND, STATUS } from './numbers.ts';

/** The columns of `events` in row order; `C` maps a column to its index. */
export const EVENT_COLUMNS = [
  'project',
  'ts',
  'event_id',
  'trace_id',
  'span_id',
  'parent_span_id',
  'kind',
  'is_call',
  'status',
  'stream',
  'provider',
  'model',
  'environment',
  'operation',
  'user_id',
  'session_id',
  'error_code',
  'latency_ms',
  'ttft_ms',
  'fresh_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_nano',
  'cost_status',
  'chunk',
  'shape',
  'detail',
  'price',
  'label',
] as const;

export type EventColumn = (typeof EVENT_COLUMNS)[number];
export const C = Object.fromEntries(EVENT_COLUMNS.map((name, i) => [name, i])) as Record<EventColumn, number>;

/** Inserts a row with stored ids; does nothing if the event is already stored. */
export const INSERT_EVENT = `INSERT INTO events (${EVENT_COLUMNS.join(', ')})
  VALUES (${EVENT_COLUMNS.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`;

/** Columns to select for `fromRow`, with texts instead of the numbers of shape and label. */
export const EVENT_SELECT = EVENT_COLUMNS.map((column) =>
  column === 'shape' || column === 'label'
    ? `(SELECT json FROM event_${column}s WHERE id = events.${column}) AS ${column}`
    : column,
).join(', ');

/**
 * Event fields that are displayed but never searched, stored as JSON. Fields that many events share go into a shape,
 * which is stored once; the others go into the column `detail`.
 */
const SHAPE_FIELDS = [
  'name',
  'agent',
  'tool',
  'release',
  'prompt_name',
  'prompt_version',
  'sdk_version',
  'finish_reason',
  'tags',
] as const;
const OWN_FIELDS = ['error_message', 'prompt_hash', 'metadata', 'usage', 'input', 'output'] as const;
type DetailField = (typeof SHAPE_FIELDS)[number] | (typeof OWN_FIELDS)[number];

type Detail = Partial<Record<DetailField, unknown>> & {
  /** The sent input count excludes cached tokens, or the sent output count excludes reasoning tokens. */
  exclusive_cache?: true;
  exclusive_reasoning?: true;
};

/** Pricing of a row, which references its price by number. */
export type RowPricing = Omit<Pricing, 'price'> & { readonly price: number | null };

/** Converts a priced event to the values of a row, in the order of `EVENT_COLUMNS`, with ids from `idToWire`. */
export function toRow(project: number, event: ParsedEvent, pricing: RowPricing): SqlValue[] {
  const { buckets, is_call, cost_nano, cost_status } = pricing;
  return [
    project,
    event.ts,
    `x${event.event_id.replaceAll('-', '')}`,
    idToWire(event.trace_id),
    idToWire(event.span_id),
    event.parent_span_id === null ? null : idToWire(event.parent_span_id),
    KIND[event.kind],
    is_call ? 1 : 0,
    STATUS[event.status],
    event.stream ? 1 : 0,
    event.provider,
    event.model,
    event.environment,
    event.operation,
    event.user_id,
    event.session_id,
    event.error_code,
    event.latency_ms,
    event.ttft_ms,
    buckets.fresh,
    buckets.cacheRead,
    buckets.cacheWrite5m,
    buckets.cacheWrite1h,
    buckets.output,
    buckets.reasoning,
    cost_nano,
    cost_status === null ? null : COST_STATUS[cost_status],
    0,
    packFields(event, SHAPE_FIELDS, modesOf(event, buckets)),
    packFields(event, OWN_FIELDS, NO_MODES),
    pricing.price,
    0,
  ];
}

/**
 * Replaces the shapes in rows by indexes into the returned list. Most rows of a batch share a few shapes, whose text
 * would be a third of the batch. `restoreShapes` reverts it.
 */
export function takeShapes(rows: readonly SqlValue[][]): string[] {
  const places = new Map<string, number>();
  for (const row of rows) {
    const shape = row[C.shape];
    if (typeof shape !== 'string') continue;
    const place = places.get(shape) ?? places.size;
    places.set(shape, place);
    row[C.shape] = place;
  }
  return [...places.keys()];
}

/** Undoes `takeShapes`. */
export function restoreShapes(rows: readonly SqlValue[][], shapes: readonly string[]): void {
  for (const row of rows) {
    const place = row[C.shape];
    if (typeof place === 'number') row[C.shape] = shapes[place] ?? null;
  }
}

const ID_PLACES = [C.event_id, C.trace_id, C.span_id, C.parent_span_id];

/** Converts a row's ids from wire form to stored form, in place. */
export function restoreIds(row: SqlValue[]): SqlValue[] {
  for (const place of ID_PLACES) {
    const wire = row[place];
    if (typeof wire === 'string') row[place] = wireToId(wire);
  }
  return row;
}

type Modes = Pick<Detail, 'exclusive_cache' | 'exclusive_reasoning'>;
const NO_MODES: Modes = {};

/** How to interpret the sent counts if they are not inclusive. */
function modesOf(event: ParsedEvent, buckets: UsageBuckets): Modes {
  return {
    ...(event.input_tokens === inputTokens(buckets) ? {} : { exclusive_cache: true }),
    ...(event.output_tokens === outputTokens(buckets) ? {} : { exclusive_reasoning: true }),
  };
}

/** The event's non-empty fields as JSON text; null if there are none. */
function packFields(event: ParsedEvent, fields: readonly DetailField[], modes: Modes): string | null {
  let packed: Record<string, unknown> | null = null;
  for (const field of fields) {
    const value = event[field];
    if (value === null || value === undefined) continue;
    packed ??= {};
    packed[field] = value;
  }
  for (const mode in modes) packed = { ...packed, [mode]: true };
  return packed === null ? null : JSON.stringify(packed);
}

/** Converts a row of `SELECT <EVENT_SELECT>` to the event that the API returns. */
export function fromRow(row: readonly SqlValue[]): StoredEvent {
  const text = (column: EventColumn): string | null => row[C[column]] as string | null;
  const number = (column: EventColumn): number => Number(row[C[column]]);
  const detail = { ...parseFields(text('shape')), ...parseFields(text('detail')) };
  const cached = number('cache_read_tokens');
  const written = number('cache_write_tokens') + number('cache_write_1h_tokens');
  const fresh = number('fresh_tokens');
  const reasoning = number('reasoning_tokens');
  const output = number('output_tokens');
  const counted = row[C.is_call] === 1;
  const costNano = counted ? (row[C.cost_nano] ?? null) : null;
  const costStatus = counted ? (row[C.cost_status] ?? null) : null;
  const parent = row[C.parent_span_id] ?? null;
  const detailText = (field: DetailField): string | null => (detail[field] as string) ?? null;
  const detailObject = (field: 'tags' | 'metadata'): Record<string, unknown> =>
    (detail[field] as Record<string, unknown>) ?? {};
  return {
    event_id: bytesToUuid(row[C.event_id] ?? null),
    trace_id: unpackId(row[C.trace_id] ?? null),
    span_id: unpackId(row[C.span_id] ?? null),
    parent_span_id: parent === null ? null : unpackId(parent),
    timestamp: formatInstant(number('ts')),
    kind: EVENT_KINDS[number('kind')] ?? 'span',
    name: detailText('name'),
    provider: text('provider'),
    model: text('model'),
    operation: text('operation') ?? '',
    latency_ms: row[C.latency_ms] as number | null,
    ttft_ms: row[C.ttft_ms] as number | null,
    input_tokens: detail.exclusive_cache ? fresh : fresh + cached + written,
    output_tokens: detail.exclusive_reasoning ? output : output + reasoning,
    cached_input_tokens: cached,
    cache_write_tokens: written,
    reasoning_tokens: reasoning,
    counted,
    cost_usd: costNano === null ? null : Number(costNano) / 1e9,
    cost_status: costStatus === null ? null : (COST_STATUSES[Number(costStatus)] ?? null),
    status: EVENT_STATUSES[number('status')] ?? 'error',
    error_code: text('error_code'),
    error_message: detailText('error_message'),
    stream: number('stream') === 1,
    environment: text('environment') ?? '',
    user_id: text('user_id'),
    session_id: text('session_id'),
    key_id: keyOfLabel(text('label')),
    agent: detailText('agent'),
    tool: detailText('tool'),
    release: detailText('release'),
    prompt_name: detailText('prompt_name'),
    prompt_version: detailText('prompt_version'),
    prompt_hash: detailText('prompt_hash'),
    sdk_version: detailText('sdk_version'),
    finish_reason: detailText('finish_reason'),
    tags: detailObject('tags'),
    metadata: detailObject('metadata'),
    usage: (detail.usage as Record<string, unknown>) ?? null,
    ...(detail.input === undefined ? {} : { input: detail.input }),
    ...(detail.output === undefined ? {} : { output: detail.output }),
  };
}

/** A label is the JSON of [key, tags]: see labels.ts. */
const keyOfLabel = (label: string | null): string | null =>
  label === null ? null : (JSON.parse(label) as [string | null])[0];

function parseFields(text: string | null): Detail {
  return text === null ? {} : (JSON.parse(text) as Detail);
}
