/** How a call or span ended (interface.md, Event). */
export type EventStatus = 'success' | 'error' | 'timeout' | 'rate_limited' | 'cancelled';

/** `llm` and `embedding` are calls and have a cost; the rest are spans of a trace. */
export type EventKind = 'llm' | 'embedding' | 'tool' | 'agent' | 'chain' | 'retrieval' | 'guardrail' | 'span';

/**
 * What may be said of an event, by its names on the wire (`POST /v1/ingest`). Token counts are whole
 * numbers: input includes cached and written tokens, output includes reasoning. Times are milliseconds.
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
  /** Time to the first token of a streamed answer. */
  ttft_ms?: number | undefined;
  input_tokens?: number | undefined;
  output_tokens?: number | undefined;
  cached_input_tokens?: number | undefined;
  cache_write_tokens?: number | undefined;
  reasoning_tokens?: number | undefined;
  /** USD, where the price is known better than the server's catalogue knows it. */
  cost_usd?: number | undefined;
  stream?: boolean | undefined;
  environment?: string | undefined;
  user_id?: string | undefined;
  session_id?: string | undefined;
  agent?: string | undefined;
  tool?: string | undefined;
  release?: string | undefined;
  prompt_name?: string | undefined;
  prompt_version?: string | undefined;
  prompt_hash?: string | undefined;
  finish_reason?: string | undefined;
  /** Labels to group by. Values under sensitive keys are withheld, at any depth. */
  tags?: object | undefined;
  /** Anything else worth keeping; withheld likewise. */
  metadata?: object | undefined;
  /** The provider's usage object, as it came. */
  usage?: object | undefined;
  /** Prompt and completion: they leave the process with `storePrompts` only. */
  input?: unknown;
  output?: unknown;
};

/** An event for `track`: what it is about, and who it is where that is known. Ids are made otherwise. */
export type SpanledgerEvent = EventFields & {
  /** A UUID; the same one counts once. */
  event_id?: string | undefined;
  trace_id?: string | undefined;
  span_id?: string | undefined;
  parent_span_id?: string | undefined;
  /** ISO 8601, epoch milliseconds or a Date; now unless given. */
  timestamp?: string | number | Date | undefined;
};
