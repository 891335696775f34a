import type { StoredEvent } from './contract.ts';

/**
 * The type of a field in exports that need one. `integer` is exact up to 2^53. `time` is ISO 8601 text in the event,
 * `json` any JSON value.
 */
export type FieldType = 'text' | 'integer' | 'number' | 'flag' | 'time' | 'json';

/** The fields of an event with their types, in the order of exports. `input` and `output` may be absent. */
export const EVENT_FIELDS = {
  event_id: 'text',
  trace_id: 'text',
  span_id: 'text',
  parent_span_id: 'text',
  timestamp: 'time',
  kind: 'text',
  name: 'text',
  provider: 'text',
  model: 'text',
  operation: 'text',
  latency_ms: 'number',
  ttft_ms: 'number',
  input_tokens: 'integer',
  output_tokens: 'integer',
  cached_input_tokens: 'integer',
  cache_write_tokens: 'integer',
  reasoning_tokens: 'integer',
  counted: 'flag',
  cost_usd: 'number',
  cost_status: 'text',
  status: 'text',
  error_code: 'text',
  error_message: 'text',
  stream: 'flag',
  environment: 'text',
  user_id: 'text',
  session_id: 'text',
  key_id: 'text',
  agent: 'text',
  agent_version: 'text',
  tool: 'text',
  release: 'text',
  prompt_name: 'text',
  prompt_version: 'text',
  prompt_hash: 'text',
  sdk_version: 'text',
  finish_reason: 'text',
  tags: 'json',
  metadata: 'json',
  usage: 'json',
  input: 'json',
  output: 'json',
} as const satisfies { readonly [F in keyof StoredEvent]-?: FieldType };
