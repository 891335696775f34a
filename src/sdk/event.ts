/** How a call or span ended. */
export type EventStatus = 'success' | 'error' | 'timeout' | 'rate_limited' | 'cancelled';

/** `llm` and `embedding` are calls and have a cost; the rest are spans of a trace. */
export type EventKind = 'llm' | 'embedding' | 'tool' | 'agent' | 'chain' | 'retrieval' | 'guardrail' | 'span';

/**
 * Fields of an event, by their wire names (`POST /v1/ingest`). Token counts are whole numbers; input includes cached
 * and cache-write tokens, output includes reasoning tokens. Times are in milliseconds.
 */
export type EventFields = {
  kind?: EventKind | undefined;
  name?: string | undefined;
  provider?: string | undefined;
  model?: string | undefined;
  operation?: string | undefined;
  status?: EventStatus | undefined;
  error_code?: string | undefined;
  error_message?: string | undefined;
  latency_ms?: number | undefined;
  /** Time to the first token of a streamed reply. */
  ttft_ms?: number | undefined;
  input_tokens?: number | undefined;
  output_tokens?: number | undefined;
  cached_input_tokens?: number | undefined;
  cache_write_tokens?: number | undefined;
  reasoning_tokens?: number | undefined;
  /** Cost in USD, if you know it better than the server's catalogue. */
  cost_usd?: number | undefined;
  stream?: boolean | undefined;
  environment?: string | undefined;
  user_id?: string | undefined;
  session_id?: string | undefined;
  agent?: string | undefined;
  /** Version of the agent, as its authors declare it. */
  agent_version?: string | undefined;
  tool?: string | undefined;
  release?: string | undefined;
  prompt_name?: string | undefined;
  prompt_version?: string | undefined;
  prompt_hash?: string | undefined;
  finish_reason?: string | undefined;
  /** Labels to group by. Values under sensitive keys are redacted at any depth. */
  tags?: object | undefined;
  /** Additional data; redacted in the same way. */
  metadata?: object | undefined;
  /** The provider's usage object, unchanged. */
  usage?: object | undefined;
  /** Prompt and completion; they leave the process only with `storePrompts`. */
  input?: unknown;
  output?: unknown;
};

/** An event for `track`. Ids that are not given are generated. */
export type SpanledgerEvent = EventFields & {
  /** A UUID; events with the same id are deduplicated. */
  event_id?: string | undefined;
  trace_id?: string | undefined;
  span_id?: string | undefined;
  parent_span_id?: string | undefined;
  /** ISO 8601, epoch milliseconds or a Date; default: now. `null`: unknown, the server takes the first receipt. */
  timestamp?: string | number | Date | null | undefined;
};
