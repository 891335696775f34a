import type { ParsedEvent, Pricing } from '../../../event.ts';

/** A row of the table without its version, as JSON. */
export type EventRow = Readonly<Record<string, unknown>>;

type Given = {
  readonly event: Omit<
    ParsedEvent,
    'dated' | 'cached_input_tokens' | 'cache_write_tokens' | 'reasoning_tokens' | 'cost_usd'
  >;
  readonly pricing: Omit<Pricing, 'is_call' | 'price'>;
  /** The applied price as JSON; '' for none. */
  readonly price: string;
  readonly project: number;
  readonly keyId: string | null;
  readonly receivedAt: number;
  /** False for a call that another span stands for. */
  readonly counted: boolean;
  /** The texts of the tags, as they are told apart. */
  readonly tags: Readonly<Record<string, string>>;
};

/** The first receipt of an event has the greatest version of all receipts, so that a retry changes nothing. */
export const receiptVersion = (receivedAt: number, batch: number): string =>
  String(((1n << 42n) - BigInt(receivedAt)) * (1n << 20n) + BigInt(batch & 0xf_ffff));
/** Changes replace receipts, and later changes earlier ones. */
export const changeVersion = (change: number): string => String((1n << 63n) + BigInt(change));

/** An event as a row. */
export function toRow({ event, pricing, price, project, keyId, receivedAt, counted, tags }: Given): EventRow {
  const { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning } = pricing.buckets;
  return {
    project,
    ts: event.ts,
    event_id: event.event_id,
    received_at: receivedAt,
    trace_id: event.trace_id,
    span_id: event.span_id,
    parent_span_id: event.parent_span_id,
    kind: event.kind,
    is_call: counted ? 1 : 0,
    status: event.status,
    stream: event.stream ? 1 : 0,
    provider: event.provider,
    model: event.model,
    operation: event.operation,
    environment: event.environment,
    user_id: event.user_id,
    session_id: event.session_id,
    key_id: keyId,
    name: event.name,
    agent: event.agent,
    agent_version: event.agent_version,
    tool: event.tool,
    release: event.release,
    prompt_name: event.prompt_name,
    prompt_version: event.prompt_version,
    prompt_hash: event.prompt_hash,
    sdk_version: event.sdk_version,
    finish_reason: event.finish_reason,
    error_code: event.error_code,
    error_message: event.error_message,
    latency_ms: event.latency_ms,
    ttft_ms: event.ttft_ms,
    input_tokens: event.input_tokens,
    output_tokens: event.output_tokens,
    bucket_fresh: fresh,
    bucket_cache_read: cacheRead,
    bucket_cache_write_5m: cacheWrite5m,
    bucket_cache_write_1h: cacheWrite1h,
    bucket_output: output,
    bucket_reasoning: reasoning,
    cost_nano: pricing.cost_nano,
    cost_status: pricing.cost_status,
    price,
    tags,
    tags_json: jsonOf(event.tags),
    metadata: jsonOf(event.metadata),
    usage: jsonOf(event.usage),
    input: jsonOf(event.input),
    output: jsonOf(event.output),
  };
}

/** JSON; '' for nothing. */
export const jsonOf = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value);

/** The text by which a tag's value is told apart. */
export const tagText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
