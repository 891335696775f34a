import { formatInstant } from '../../../../../lib/time.ts';
import type { AppliedPrice, UsageBuckets } from '../../../../pricing/index.ts';
import type { CostStatus, EventKind, EventStatus, StoredEvent } from '../../../contract.ts';
import { raw } from '../engine/sql.ts';

/** A row as the engine returns it. */
export type StoredRow = {
  readonly project: number;
  readonly ts: number;
  readonly event_id: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly kind: EventKind;
  readonly is_call: 0 | 1;
  readonly status: EventStatus;
  readonly stream: 0 | 1;
  readonly provider: string | null;
  readonly model: string | null;
  readonly operation: string;
  readonly environment: string;
  readonly user_id: string | null;
  readonly session_id: string | null;
  readonly key_id: string | null;
  readonly name: string | null;
  readonly agent: string | null;
  readonly agent_version: string | null;
  readonly tool: string | null;
  readonly release: string | null;
  readonly prompt_name: string | null;
  readonly prompt_version: string | null;
  readonly prompt_hash: string | null;
  readonly sdk_version: string | null;
  readonly finish_reason: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly latency_ms: number | null;
  readonly ttft_ms: number | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly bucket_fresh: number;
  readonly bucket_cache_read: number;
  readonly bucket_cache_write_5m: number;
  readonly bucket_cache_write_1h: number;
  readonly bucket_output: number;
  readonly bucket_reasoning: number;
  readonly cost_nano: number | null;
  readonly cost_status: CostStatus | null;
  readonly price: string;
  readonly tags_json: string;
  readonly metadata: string;
  readonly usage: string;
  readonly input: string;
  readonly output: string;
};

/** The columns of `StoredRow`. */
export const EVENT_COLUMNS = raw(
  [
    ...[
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
    ],
    ...[
      'provider',
      'model',
      'operation',
      'environment',
      'user_id',
      'session_id',
      'key_id',
      'name',
      'agent',
      'agent_version',
      'tool',
    ],
    ...[
      'release',
      'prompt_name',
      'prompt_version',
      'prompt_hash',
      'sdk_version',
      'finish_reason',
      'error_code',
    ],
    ...[
      'error_message',
      'latency_ms',
      'ttft_ms',
      'input_tokens',
      'output_tokens',
      'bucket_fresh',
      'bucket_cache_read',
    ],
    ...['bucket_cache_write_5m', 'bucket_cache_write_1h', 'bucket_output', 'bucket_reasoning', 'cost_nano'],
    ...['cost_status', 'price', 'tags_json', 'metadata', 'usage', 'input', 'output'],
  ].join(', '),
);

/** A row as the API returns its event. */
export function toEvent(row: StoredRow): StoredEvent {
  const counted = row.is_call === 1;
  return {
    event_id: row.event_id,
    trace_id: row.trace_id,
    span_id: row.span_id,
    parent_span_id: row.parent_span_id,
    timestamp: formatInstant(row.ts),
    kind: row.kind,
    name: row.name,
    provider: row.provider,
    model: row.model,
    operation: row.operation,
    latency_ms: row.latency_ms,
    ttft_ms: row.ttft_ms,
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    cached_input_tokens: row.bucket_cache_read,
    cache_write_tokens: row.bucket_cache_write_5m + row.bucket_cache_write_1h,
    reasoning_tokens: row.bucket_reasoning,
    counted,
    cost_usd: counted && row.cost_nano !== null ? row.cost_nano / 1e9 : null,
    cost_status: counted ? row.cost_status : null,
    status: row.status,
    error_code: row.error_code,
    error_message: row.error_message,
    stream: row.stream === 1,
    environment: row.environment,
    user_id: row.user_id,
    session_id: row.session_id,
    key_id: row.key_id,
    agent: row.agent,
    agent_version: row.agent_version,
    tool: row.tool,
    release: row.release,
    prompt_name: row.prompt_name,
    prompt_version: row.prompt_version,
    prompt_hash: row.prompt_hash,
    sdk_version: row.sdk_version,
    finish_reason: row.finish_reason,
    tags: objectOf(row.tags_json) ?? {},
    metadata: objectOf(row.metadata) ?? {},
    usage: objectOf(row.usage),
    ...(row.input === '' ? {} : { input: JSON.parse(row.input) }),
    ...(row.output === '' ? {} : { output: JSON.parse(row.output) }),
  };
}

/** The billed tokens of a row. */
export const bucketsOf = (row: StoredRow): UsageBuckets => ({
  fresh: row.bucket_fresh,
  cacheRead: row.bucket_cache_read,
  cacheWrite5m: row.bucket_cache_write_5m,
  cacheWrite1h: row.bucket_cache_write_1h,
  output: row.bucket_output,
  reasoning: row.bucket_reasoning,
});

export const priceOf = ({ price }: Pick<StoredRow, 'price'>): AppliedPrice | null =>
  price === '' ? null : (JSON.parse(price) as AppliedPrice);

export const objectOf = (json: string): Record<string, unknown> | null =>
  json === '' ? null : (JSON.parse(json) as Record<string, unknown>);
