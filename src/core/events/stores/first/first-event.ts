import type { AppliedPrice } from '../../../pricing/index.ts';
import { COST_STATUSES, EVENT_KINDS, EVENT_STATUSES } from '../../contract.ts';
import type { ParsedEvent } from '../../event.ts';
import type { PackedEvent } from '../sqlite/packs/encode-pack.ts';
import type { Fields } from '../sqlite/packs/fields.ts';
import { toUuid } from '../sqlite/packs/id-bytes.ts';
import { F, type FirstRow } from './first-rows.ts';

/** Stands for a price that is known by its number only. */
const NO_PRICE: AppliedPrice | null = null;

/**
 * Converts an event of the first store, so that it can be encoded like a new one.
 * @param shapes the shared fields by number
 */
export function toPacked(row: FirstRow, shapes: ReadonlyMap<number, string>): PackedEvent {
  const number = (column: number): number => Number(row[column] ?? 0);
  const maybe = (column: number): number | null => (row[column] === null ? null : Number(row[column]));
  const text = (column: number): string | null => row[column] as string | null;
  const shape = row[F.shape] === null ? null : (shapes.get(number(F.shape)) ?? null);
  const fields = { ...parse(shape), ...parse(text(F.detail)) };
  const field = <K extends keyof Fields>(name: K) => fields[name] ?? null;
  const buckets = {
    fresh: number(F.fresh_tokens),
    cacheRead: number(F.cache_read_tokens),
    cacheWrite5m: number(F.cache_write_tokens),
    cacheWrite1h: number(F.cache_write_1h_tokens),
    output: number(F.output_tokens),
    reasoning: number(F.reasoning_tokens),
  };
  const written = buckets.cacheWrite5m + buckets.cacheWrite1h;
  const event: ParsedEvent = {
    event_id: toUuid(idOf(row[F.event_id])),
    ts: number(F.ts),
    dated: true,
    trace_id: idOf(row[F.trace_id]),
    span_id: idOf(row[F.span_id]),
    parent_span_id: row[F.parent_span_id] === null ? null : idOf(row[F.parent_span_id]),
    kind: EVENT_KINDS[number(F.kind)] ?? 'span',
    name: field('name') as string | null,
    provider: text(F.provider),
    model: text(F.model),
    operation: text(F.operation) ?? '',
    status: EVENT_STATUSES[number(F.status)] ?? 'error',
    error_code: text(F.error_code),
    error_message: field('error_message') as string | null,
    latency_ms: maybe(F.latency_ms),
    ttft_ms: maybe(F.ttft_ms),
    input_tokens: buckets.fresh + (fields.exclusive_cache ? 0 : buckets.cacheRead + written),
    output_tokens: buckets.output + (fields.exclusive_reasoning ? 0 : buckets.reasoning),
    cached_input_tokens: buckets.cacheRead,
    cache_write_tokens: written,
    reasoning_tokens: buckets.reasoning,
    cost_usd: null,
    stream: number(F.stream) === 1,
    environment: text(F.environment) ?? '',
    user_id: text(F.user_id),
    session_id: text(F.session_id),
    agent: field('agent') as string | null,
    agent_version: null,
    tool: field('tool') as string | null,
    release: field('release') as string | null,
    prompt_name: field('prompt_name') as string | null,
    prompt_version: field('prompt_version') as string | null,
    prompt_hash: field('prompt_hash') as string | null,
    sdk_version: field('sdk_version') as string | null,
    finish_reason: field('finish_reason') as string | null,
    tags: field('tags') as ParsedEvent['tags'],
    metadata: field('metadata') as ParsedEvent['metadata'],
    usage: field('usage') as ParsedEvent['usage'],
    input: field('input'),
    output: field('output'),
  };
  const status = maybe(F.cost_status);
  const pricing = {
    is_call: number(F.is_call) === 1,
    buckets,
    cost_nano: maybe(F.cost_nano),
    cost_status: status === null ? null : (COST_STATUSES[status] ?? null),
    price: NO_PRICE,
  };
  return { event, pricing, price: maybe(F.price) };
}

/** An id as text: bytes as hexadecimal digits. */
const idOf = (value: FirstRow[number] | undefined): string =>
  typeof value === 'string' ? value : new Uint8Array(value as ArrayBuffer).toHex();

const parse = (json: string | null): Fields => (json === null ? {} : (JSON.parse(json) as Fields));
