import type { SqlValue } from '../../db/connection.ts';
import { formatInstant } from '../../lib/time.ts';
import type { UsageBuckets } from '../pricing/index.ts';
import { COST_STATUSES, EVENT_KINDS, EVENT_STATUSES, type StoredEvent } from './contract.ts';
import type { ParsedEvent, PricedEvent } from './event.ts';
import { bytesToUuid, idToWire, unpackId, wireToId } from './ids.ts';

/** The columns of `events` in the order of a row; `C` gives the place of each. */
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
  'detail',
] as const;

export type EventColumn = (typeof EVENT_COLUMNS)[number];
export const C = Object.fromEntries(EVENT_COLUMNS.map((name, i) => [name, i])) as Record<EventColumn, number>;

/** Event fields that are shown but never searched: they live in the JSON column `detail`. */
const DETAIL_FIELDS = [
  'name',
  'error_message',
  'agent',
  'tool',
  'release',
  'prompt_name',
  'prompt_version',
  'prompt_hash',
  'sdk_version',
  'finish_reason',
  'tags',
  'metadata',
  'usage',
  'input',
  'output',
] as const;

type Detail = Partial<Record<(typeof DETAIL_FIELDS)[number], unknown>> & {
  /** The sent input count excludes cached tokens, the sent output count the reasoning ones. */
  exclusive_cache?: true;
  exclusive_reasoning?: true;
};

/** What an event costs and how it counts: see `PricedEvent`. */
export type Pricing = Omit<PricedEvent, keyof ParsedEvent>;

const KIND_NUMBERS = numbersOf(EVENT_KINDS);
const STATUS_NUMBERS = numbersOf(EVENT_STATUSES);
const COST_STATUS_NUMBERS = numbersOf(COST_STATUSES);

/** A priced event as the values of one row, in the order of `EVENT_COLUMNS`, with ids as `idToWire` gives them. */
export function toRow(project: number, event: ParsedEvent, pricing: Pricing): SqlValue[] {
  const { buckets, is_call, cost_nano, cost_status } = pricing;
  return [
    project,
    event.ts,
    `x${event.event_id.replaceAll('-', '')}`,
    idToWire(event.trace_id),
    idToWire(event.span_id),
    event.parent_span_id === null ? null : idToWire(event.parent_span_id),
    KIND_NUMBERS[event.kind],
    is_call ? 1 : 0,
    STATUS_NUMBERS[event.status],
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
    cost_status === null ? null : COST_STATUS_NUMBERS[cost_status],
    packDetail(event, buckets),
  ];
}

const ID_PLACES = [C.event_id, C.trace_id, C.span_id, C.parent_span_id];

/** Turns a row's ids from wire to store, in place. */
export function restoreIds(row: SqlValue[]): SqlValue[] {
  for (const place of ID_PLACES) {
    const wire = row[place];
    if (typeof wire === 'string') row[place] = wireToId(wire);
  }
  return row;
}

function numbersOf<T extends string>(names: readonly T[]): Record<T, number> {
  return Object.fromEntries(names.map((name, number) => [name, number])) as Record<T, number>;
}

function packDetail(event: ParsedEvent, buckets: UsageBuckets): string | null {
  const detail: Detail = {};
  let empty = true;
  for (const field of DETAIL_FIELDS) {
    const value = event[field];
    if (value === null || value === undefined) continue;
    detail[field] = value;
    empty = false;
  }
  const input = buckets.fresh + buckets.cacheRead + buckets.cacheWrite5m + buckets.cacheWrite1h;
  if (event.input_tokens !== input) detail.exclusive_cache = true;
  if (event.output_tokens !== buckets.output + buckets.reasoning) detail.exclusive_reasoning = true;
  if (empty && detail.exclusive_cache === undefined && detail.exclusive_reasoning === undefined) return null;
  return JSON.stringify(detail);
}

/** A row of `SELECT <EVENT_COLUMNS>` as the wire event (interface.md, Event). */
export function fromRow(row: readonly SqlValue[]): StoredEvent {
  const text = (column: EventColumn): string | null => row[C[column]] as string | null;
  const number = (column: EventColumn): number => Number(row[C[column]]);
  const detail = JSON.parse(text('detail') ?? '{}') as Detail;
  const cached = number('cache_read_tokens');
  const written = number('cache_write_tokens') + number('cache_write_1h_tokens');
  const fresh = number('fresh_tokens');
  const reasoning = number('reasoning_tokens');
  const output = number('output_tokens');
  const costNano = row[C.cost_nano] ?? null;
  const costStatus = row[C.cost_status] ?? null;
  const parent = row[C.parent_span_id] ?? null;
  const detailText = (field: (typeof DETAIL_FIELDS)[number]): string | null =>
    (detail[field] as string) ?? null;
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
    cost_usd: costNano === null ? null : Number(costNano) / 1e9,
    cost_status: costStatus === null ? null : (COST_STATUSES[Number(costStatus)] ?? null),
    status: EVENT_STATUSES[number('status')] ?? 'error',
    error_code: text('error_code'),
    error_message: detailText('error_message'),
    stream: number('stream') === 1,
    environment: text('environment') ?? '',
    user_id: text('user_id'),
    session_id: text('session_id'),
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
