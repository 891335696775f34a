import type { AppliedPrice, UsageBuckets } from '../pricing/index.ts';
import type { CostStatus, EventKind, EventStatus } from './contract.ts';

/**
 * One event after validation, defaults and redaction, ready to be priced and stored.
 * Times are epoch milliseconds, ids are as the sender wrote them (`event_id` a lower-case UUID).
 */
export type ParsedEvent = {
  readonly event_id: string;
  /** Epoch milliseconds of the call. */
  readonly ts: number;
  /** False when the sender gave an id but no timestamp: `ts` is the time of receipt, of the first one. */
  readonly dated: boolean;
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly kind: EventKind;
  readonly name: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly operation: string;
  readonly status: EventStatus;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly latency_ms: number | null;
  readonly ttft_ms: number | null;
  /** Token counts as the sender stated them (`input_tokens` may or may not include the cached ones). */
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
  /** The sender's own figure in USD, which then is the cost (`cost_status` = `client`). */
  readonly cost_usd: number | null;
  readonly stream: boolean;
  readonly environment: string;
  readonly user_id: string | null;
  readonly session_id: string | null;
  readonly agent: string | null;
  readonly tool: string | null;
  readonly release: string | null;
  readonly prompt_name: string | null;
  readonly prompt_version: string | null;
  readonly prompt_hash: string | null;
  readonly sdk_version: string | null;
  readonly finish_reason: string | null;
  /** Null-prototype objects, so that a key like `__proto__` stays a key. Null when empty. */
  readonly tags: Readonly<Record<string, unknown>> | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly usage: Readonly<Record<string, unknown>> | null;
  /** Prompt and completion: null unless the project stores prompts. */
  readonly input: unknown;
  readonly output: unknown;
};

/** How an event counts and what it costs. Calls are the kinds `llm` and `embedding`. */
export type Pricing = {
  /** True when the event counts as one call and its cost counts as money. */
  readonly is_call: boolean;
  readonly buckets: UsageBuckets;
  /** Integer nano-dollars; null when unpriced or not a call. A call that does not count has them too. */
  readonly cost_nano: number | null;
  /** Null for spans that are not calls. */
  readonly cost_status: CostStatus | null;
  /** The price by which it was priced; null where there was none. */
  readonly price: AppliedPrice | null;
};

/** A parsed event with its buckets and its price. */
export type PricedEvent = ParsedEvent & Pricing;
