import type { ParsedEvent } from '../../src/core/events/index.ts';
import type { UsageBuckets } from '../../src/core/pricing/index.ts';
import type { SqlValue } from '../../src/db/connection.ts';

/** What an event costs; null without a price. */
export interface RawPrice {
  readonly buckets: UsageBuckets;
  readonly costNano: number | null;
  readonly costStatus: string;
}

const COLUMNS = [
  'event_id',
  'trace_id',
  'span_id',
  'parent_span_id',
  'ts',
  'kind',
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
  'prompt_hash',
  'detail',
] as const;

/** Rows of one number in the order of their arrival: ids come in no order, and an index of them alone would write a page for each. */
const CHUNK_ROWS = 8_192;

/**
 * Tables of events as rows. `arrival`: in the order of arrival without an index, the least that storing rows can cost.
 * `indexed`: by project, time and id, which notices a row that is sent again, with the indexes that find the events of a
 * trace and of a user, and those that failed: the least with which rows answer what a ledger is asked.
 */
export const RAW_TABLES = {
  arrival: `CREATE TABLE raw_events (${COLUMNS.join(', ')}, project, chunk)`,
  indexed: `CREATE TABLE raw_events (${COLUMNS.join(', ')}, project, chunk,
      PRIMARY KEY (project, ts, event_id)) WITHOUT ROWID;
    CREATE INDEX raw_trace ON raw_events (project, chunk, trace_id);
    CREATE INDEX raw_user ON raw_events (project, chunk, user_id) WHERE user_id IS NOT NULL;
    CREATE INDEX raw_failed ON raw_events (project, ts) WHERE status <> 'success'`,
} as const;
export type RawTable = keyof typeof RAW_TABLES;
export const RAW_INSERT = `INSERT INTO raw_events VALUES (${COLUMNS.map(() => '?').join(', ')}, ?, ?)`;

/** The values of an event's row, which is the `place`th of its project. */
export function rawValues(
  event: ParsedEvent,
  { buckets, costNano, costStatus }: RawPrice,
  place: number,
): SqlValue[] {
  const {
    error_message,
    name,
    agent,
    agent_version,
    release,
    prompt_name,
    prompt_version,
    sdk_version,
    tags,
    metadata,
  } = event;
  const bytes = (hex: string): Uint8Array => Uint8Array.fromHex(hex.replaceAll('-', ''));
  return [
    bytes(event.event_id),
    bytes(event.trace_id),
    bytes(event.span_id),
    event.parent_span_id,
    event.ts,
    event.kind,
    event.status,
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
    costNano,
    costStatus,
    event.prompt_hash === null ? null : bytes(event.prompt_hash),
    JSON.stringify({
      error_message,
      name,
      agent,
      agent_version,
      release,
      prompt_name,
      prompt_version,
      sdk_version,
      tags,
      metadata,
    }),
    1,
    Math.floor(place / CHUNK_ROWS),
  ];
}
