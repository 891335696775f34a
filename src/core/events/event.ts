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
  /** False if the sender set an id but no timestamp: `ts` is then the time of the first receipt. */
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
  /** Token counts as sent (`input_tokens` may or may not include cached tokens). */
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
  /** Cost in USD as sent. If set, it is used as the cost (`cost_status` = `client`). */
  readonly cost_usd: number | null;
  readonly stream: boolean;
  readonly environment: string;
  readonly user_id: string | null;
  readonly session_id: string | null;
  readonly agent: string | null;
  readonly agent_version: string | null;
  readonly tool: string | null;
  readonly release: string | null;
  readonly prompt_name: string | null;
  readonly prompt_version: string | null;
  readonly prompt_hash: string | null;
  readonly sdk_version: string | null;
  readonly finish_reason: string | null;
  /** Null-prototype objects, so that a key like `__proto__` is an ordinary key. Null if empty. */
  readonly tags: Readonly<Record<string, unknown>> | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly usage: Readonly<Record<string, unknown>> | null;
  /** Prompt and completion; null unless the project stores prompts. */
  readonly input: unknown;
  readonly output: unknown;
};

/** Whether an event counts as a call, and its cost. Calls are events of the kinds `llm` and `embedding`. */
export type Pricing = {
  /** True if the event counts as one call and its cost is in the totals. */
  readonly is_call: boolean;
  readonly buckets: UsageBuckets;
  /** Integer nano-dollars; null if unpriced or not a call. A call that is not counted has a cost too. */
  readonly cost_nano: number | null;
  /** Null for spans that are not calls. */
  readonly cost_status: CostStatus | null;
  /** The applied price; null if there was none. */
  readonly price: AppliedPrice | null;
};

/** A parsed event with its token buckets and price. */
export type PricedEvent = ParsedEvent & Pricing;
