import { z } from 'zod';

/** Event status values (interface.md, States). The index is what the store keeps. */
export const EVENT_STATUSES = ['success', 'error', 'timeout', 'rate_limited', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** Kinds of an event (decisions.md, Ingest). `llm` and `embedding` are calls; the rest are spans. */
export const EVENT_KINDS = [
  'llm',
  'embedding',
  'tool',
  'agent',
  'chain',
  'retrieval',
  'guardrail',
  'span',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** How an event's cost came about: from a price, without a price, or as the sender stated it. */
export const COST_STATUSES = ['priced', 'unpriced', 'client'] as const;
export type CostStatus = (typeof COST_STATUSES)[number];

/** Most tokens that one event may count, so that no sum can overflow. */
export const MAX_TOKENS = 1_000_000_000;

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((s) => !s.includes('\0'), 'must not contain a NUL character');
const optionalText = (max: number) => text(max).nullish();
const tokens = z.int().min(0).max(MAX_TOKENS).nullish();
const milliseconds = z.number().min(0).max(1e10).nullish();
const jsonObject = z.record(z.string(), z.unknown()).nullish();

/**
 * One event as a client sends it: a line of `POST /v1/ingest` (interface.md, Event; decisions.md,
 * Ingest). Fields that are not named here are kept in `metadata`. Defaults and the rule that a call
 * needs `model` and `provider` are applied by `parseEvent`.
 */
export const eventInputSchema = z.looseObject({
  event_id: z.guid('must be a UUID').nullish(),
  trace_id: text(128).min(1).nullish(),
  span_id: text(128).min(1).nullish(),
  parent_span_id: optionalText(128),
  timestamp: optionalText(64),
  kind: z.enum(EVENT_KINDS).nullish(),
  name: optionalText(500),
  provider: optionalText(200),
  model: optionalText(300),
  operation: optionalText(500),
  status: z.enum(EVENT_STATUSES).nullish(),
  error_code: optionalText(200),
  error_message: optionalText(10_000),
  latency_ms: milliseconds,
  ttft_ms: milliseconds,
  input_tokens: tokens,
  output_tokens: tokens,
  cached_input_tokens: tokens,
  cache_write_tokens: tokens,
  reasoning_tokens: tokens,
  cost_usd: z.number().min(0).max(10_000).nullish(),
  stream: z.boolean().nullish(),
  environment: optionalText(200),
  user_id: optionalText(500),
  session_id: optionalText(500),
  agent: optionalText(300),
  tool: optionalText(300),
  release: optionalText(200),
  prompt_name: optionalText(300),
  prompt_version: optionalText(100),
  prompt_hash: optionalText(200),
  sdk_version: optionalText(200),
  finish_reason: optionalText(200),
  tags: jsonObject,
  metadata: jsonObject,
  usage: jsonObject,
  input: z.unknown().optional(),
  output: z.unknown().optional(),
});
export type EventInput = z.input<typeof eventInputSchema>;

/** One event as the API returns it (interface.md, Event). */
export const storedEventSchema = z.object({
  event_id: z.string(),
  trace_id: z.string(),
  span_id: z.string(),
  parent_span_id: z.string().nullable(),
  timestamp: z.string(),
  kind: z.enum(EVENT_KINDS),
  name: z.string().nullable(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  operation: z.string(),
  latency_ms: z.number().nullable(),
  ttft_ms: z.number().nullable(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cached_input_tokens: z.number(),
  cache_write_tokens: z.number(),
  reasoning_tokens: z.number(),
  /** USD; null where the model has no known price, and for spans that are not calls. */
  cost_usd: z.number().nullable(),
  cost_status: z.enum(COST_STATUSES).nullable(),
  status: z.enum(EVENT_STATUSES),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  stream: z.boolean(),
  environment: z.string(),
  user_id: z.string().nullable(),
  session_id: z.string().nullable(),
  agent: z.string().nullable(),
  tool: z.string().nullable(),
  release: z.string().nullable(),
  prompt_name: z.string().nullable(),
  prompt_version: z.string().nullable(),
  prompt_hash: z.string().nullable(),
  sdk_version: z.string().nullable(),
  finish_reason: z.string().nullable(),
  tags: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
  usage: z.record(z.string(), z.unknown()).nullable(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
});
export type StoredEvent = z.infer<typeof storedEventSchema>;
