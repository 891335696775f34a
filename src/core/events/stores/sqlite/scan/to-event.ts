import { formatInstant } from '../../../../../lib/time.ts';
import type { UsageBuckets } from '../../../../pricing/index.ts';
import { EVENT_KINDS, EVENT_STATUSES, type StoredEvent } from '../../../contract.ts';
import { FLAG, type IdColumn, type NumberColumn, type TextColumn } from '../columns.ts';
import type { Fields } from '../packs/fields.ts';
import { hexAt, toUuid } from '../packs/id-bytes.ts';
import type { Chunk } from './chunk.ts';
import { costStatusOf } from './match.ts';

/** The key of a label number; null if the events came without one. */
export type KeyOf = (label: number) => string | null;

/** The event at a place of a chunk, as the API returns it. */
export function toEvent(chunk: Chunk, place: number, keyOf: KeyOf): StoredEvent {
  const flags = chunk.bytes('flags')[place] as number;
  const shape = textAt(chunk, 'shape', place);
  const fields = { ...parse(shape), ...parse(chunk.detail(place)) };
  const { fresh, cacheRead: cached, cacheWrite5m, cacheWrite1h, output, reasoning } = bucketsAt(chunk, place);
  const written = cacheWrite5m + cacheWrite1h;
  const counted = (flags & FLAG.call) !== 0;
  const cost = counted ? numberAt(chunk, 'cost_nano', place) : null;
  const text = (name: keyof Fields): string | null => (fields[name] as string | undefined) ?? null;
  const object = (name: 'tags' | 'metadata'): Record<string, unknown> =>
    (fields[name] as Record<string, unknown> | undefined) ?? {};
  return {
    event_id: eventIdAt(chunk, place),
    trace_id: traceIdAt(chunk, place),
    span_id: fields.span_id ?? hexAt('span_id', chunk.ids('span_id'), place),
    parent_span_id:
      (flags & FLAG.parent) === 0
        ? null
        : (fields.parent_span_id ?? hexAt('parent_span_id', chunk.ids('parent_span_id'), place)),
    timestamp: formatInstant(chunk.numbers('ts')[place] as number),
    kind: EVENT_KINDS[chunk.bytes('kind')[place] as number] ?? 'span',
    name: text('name'),
    provider: textAt(chunk, 'provider', place),
    model: textAt(chunk, 'model', place),
    operation: textAt(chunk, 'operation', place) ?? '',
    latency_ms: numberAt(chunk, 'latency_ms', place),
    ttft_ms: numberAt(chunk, 'ttft_ms', place),
    input_tokens: fields.exclusive_cache ? fresh : fresh + cached + written,
    output_tokens: fields.exclusive_reasoning ? output : output + reasoning,
    cached_input_tokens: cached,
    cache_write_tokens: written,
    reasoning_tokens: reasoning,
    counted,
    cost_usd: cost === null ? null : cost / 1e9,
    cost_status: counted ? costStatusOf(chunk.bytes('cost_status')[place] as number) : null,
    status: EVENT_STATUSES[chunk.bytes('status')[place] as number] ?? 'error',
    error_code: textAt(chunk, 'error_code', place),
    error_message: text('error_message'),
    stream: (flags & FLAG.stream) !== 0,
    environment: textAt(chunk, 'environment', place) ?? '',
    user_id: textAt(chunk, 'user_id', place),
    session_id: textAt(chunk, 'session_id', place),
    key_id: keyOf(chunk.number('label', place)),
    agent: text('agent'),
    agent_version: text('agent_version'),
    tool: text('tool'),
    release: text('release'),
    prompt_name: text('prompt_name'),
    prompt_version: text('prompt_version'),
    prompt_hash: fields.prompt_hash ?? chunk.promptHash(place),
    sdk_version: text('sdk_version'),
    finish_reason: text('finish_reason'),
    tags: object('tags'),
    metadata: object('metadata'),
    usage: (fields.usage as Record<string, unknown> | undefined) ?? null,
    ...(fields.input === undefined ? {} : { input: fields.input }),
    ...(fields.output === undefined ? {} : { output: fields.output }),
  };
}

/** The token buckets of an event. */
export function bucketsAt(chunk: Chunk, place: number): UsageBuckets {
  const at = (column: NumberColumn): number => chunk.number(column, place);
  return {
    fresh: at('fresh_tokens'),
    cacheRead: at('cache_read_tokens'),
    cacheWrite5m: at('cache_write_tokens'),
    cacheWrite1h: at('cache_write_1h_tokens'),
    output: at('output_tokens'),
    reasoning: at('reasoning_tokens'),
  };
}

/** A number; null for NaN. */
export function numberAt(chunk: Chunk, column: NumberColumn, place: number): number | null {
  const value = chunk.number(column, place);
  return Number.isNaN(value) ? null : value;
}

export function textAt(chunk: Chunk, column: TextColumn, place: number): string | null {
  const texts = chunk.texts(column);
  return texts.at(texts.codes[place] as number);
}

/** The name, which is part of the shape; null without one. */
export const nameAt = (chunk: Chunk, place: number): string | null =>
  (parse(textAt(chunk, 'shape', place)).name as string | undefined) ?? null;

export const eventIdAt = (chunk: Chunk, place: number): string =>
  toUuid(hexAt('event_id', chunk.ids('event_id'), place));

/** The trace id as sent; the detail is read only for an odd one. */
export const traceIdAt = (chunk: Chunk, place: number): string =>
  idAt(chunk, 'trace_id', FLAG.oddTrace, place);
export const spanIdAt = (chunk: Chunk, place: number): string => idAt(chunk, 'span_id', FLAG.oddSpan, place);

/** The parent's span id as sent; null for a root. */
export const parentIdAt = (chunk: Chunk, place: number): string | null =>
  ((chunk.bytes('flags')[place] as number) & FLAG.parent) === 0
    ? null
    : idAt(chunk, 'parent_span_id', FLAG.oddParent, place);

function idAt(chunk: Chunk, column: Exclude<IdColumn, 'event_id'>, odd: number, place: number): string {
  const isOdd = ((chunk.bytes('flags')[place] as number) & odd) !== 0;
  const sent = isOdd ? parse(chunk.detail(place))[column] : undefined;
  return sent ?? hexAt(column, chunk.ids(column), place);
}

const parse = (json: string | null): Fields => (json === null ? {} : (JSON.parse(json) as Fields));
