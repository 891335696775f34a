import { z } from 'zod';
import { parseInstant } from '../../lib/time.ts';

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

/**
 * How an event's cost came about: from a price, without a price, as the sender stated it, or from a price
 * that leaves something open (its explanation says what). The index is what the store keeps.
 */
export const COST_STATUSES = ['priced', 'unpriced', 'client', 'estimated'] as const;
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
  /** Whether it counts as a call: false for other spans, and for a call that another span stands for. */
  counted: z.boolean(),
  /** USD; null where the model has no known price, and for what does not count. */
  cost_usd: z.number().nullable(),
  cost_status: z.enum(COST_STATUSES).nullable(),
  status: z.enum(EVENT_STATUSES),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  stream: z.boolean(),
  environment: z.string(),
  user_id: z.string().nullable(),
  session_id: z.string().nullable(),
  /** The project key with which it came; null where it came by another way. */
  key_id: z.string().nullable(),
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

/** Page sizes of lists of events and traces (interface.md, Limits). */
export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 200;

/** An empty parameter is the same as none. */
export const textParam = (max: number) =>
  z
    .string()
    .max(max)
    .transform((given) => (given === '' ? undefined : given))
    .optional();

/** ISO 8601 as text, epoch milliseconds when read. */
export const instantParam = z
  .string()
  .transform((given, ctx) => {
    const ms = parseInstant(given);
    if (ms !== null) return ms;
    ctx.addIssue({ code: 'custom', message: 'must be ISO 8601 in UTC like 2026-01-31T12:00:00.000Z' });
    return z.NEVER;
  })
  .optional();

const filterParams = {
  /** Events at or after, and at or before. */
  start: instantParam,
  end: instantParam,
  model: textParam(300),
  provider: textParam(200),
  status: z.enum(EVENT_STATUSES).optional(),
  environment: textParam(200),
  userId: textParam(500),
  /** Failed calls of one group of `GET /v1/errors`: their error code, or their status where they have none. */
  errorCode: textParam(200),
  sessionId: textParam(500),
};
/** A cursor holds an id of up to 128 characters, each of which may take 6 in JSON. */
const MAX_CURSOR = 1_200;
const pageParams = {
  cursor: textParam(MAX_CURSOR),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
};

type Bounds = { readonly start?: number | undefined; readonly end?: number | undefined };
const inOrder = ({ start, end }: Bounds): boolean => start === undefined || end === undefined || start <= end;
const ORDER_ISSUE = { path: ['start'], message: 'must not be after end' };

/** Query of the metrics endpoints, without the project. */
export const metricsFilterSchema = z
  .object({ ...filterParams, kind: z.enum(EVENT_KINDS).optional() })
  .refine(inOrder, ORDER_ISSUE);
export type MetricsFilter = z.output<typeof metricsFilterSchema>;

/** Query of the metrics endpoints that take the project as a parameter. */
export const metricsQuerySchema = z
  .object({ projectId: z.string(), ...filterParams, kind: z.enum(EVENT_KINDS).optional() })
  .refine(inOrder, ORDER_ISSUE);

/** Query of `GET /v1/events` and `GET /v1/traces`. `kind` beyond the calls: one of them, or `all`. */
export const listQuerySchema = z
  .object({
    projectId: z.string(),
    ...filterParams,
    kind: z.enum([...EVENT_KINDS, 'all']).optional(),
    ...pageParams,
  })
  .refine(inOrder, ORDER_ISSUE);

/** What costs are told apart by. */
export const costFilterSchema = z.object({
  /** Id of the project key with which they came. */
  keyId: textParam(100),
  /** `NAME=VALUE`; a value that is no text as its JSON. */
  tag: textParam(500),
  costStatus: z.enum(COST_STATUSES).optional(),
});

/** Query of `GET /v1/events`: besides, what costs are told apart by. */
export const eventsQuerySchema = z.intersection(listQuerySchema, costFilterSchema);
export type EventsQuery = z.output<typeof eventsQuerySchema>;

/** Query of `GET /v1/events/export`: the filters of the list. */
export const exportQuerySchema = z.intersection(
  eventsQuerySchema,
  z.object({ format: z.enum(['csv', 'ndjson']).default('ndjson') }),
);

/** Reply of `GET /v1/events` (interface.md). */
export const eventPageSchema = z.object({
  events: z.array(storedEventSchema),
  /** Opaque; null on the last page. */
  nextCursor: z.string().nullable(),
  /** All events that match, over all pages. */
  total: z.int(),
});
export type EventPage = z.infer<typeof eventPageSchema>;

/** What the spans of a trace or session add up to. Times are ISO 8601; tokens and cost are of the calls, each once. */
export const eventSumsSchema = z.object({
  /** Start of the first span and end of the last to end. */
  start: z.string(),
  end: z.string(),
  duration_ms: z.number(),
  spans: z.int(),
  llm_calls: z.int(),
  /** Spans of any kind that ended in error, timeout or rate_limited. */
  errors: z.int(),
  cost_usd: z.number(),
  /** Calls without a known price: they are not in `cost_usd`. */
  unpriced: z.int(),
  input_tokens: z.number(),
  output_tokens: z.number(),
});
export type EventSums = z.infer<typeof eventSumsSchema>;

/** What a trace adds up to. */
export const traceSummarySchema = eventSumsSchema.extend({ trace_id: z.string() });
export type TraceSummary = z.infer<typeof traceSummarySchema>;

/** Most levels of `children`; spans further down are listed at the last of them. */
export const MAX_TRACE_LEVELS = 100;
/** Most spans of one trace in a reply; of a longer one the first come. */
export const MAX_TRACE_SPANS = 50_000;

/** What a span and all below it add up to, like the trace; each call counts once. */
const subtreeSchema = eventSumsSchema.pick({
  spans: true,
  llm_calls: true,
  errors: true,
  cost_usd: true,
  unpriced: true,
  input_tokens: true,
  output_tokens: true,
});
export type Subtree = z.infer<typeof subtreeSchema>;

/** A span with what lies below it, by start. */
export const spanNodeSchema = storedEventSchema.extend({
  /** Present on a span with others below it. */
  subtree: subtreeSchema.optional(),
  /** Present on a root whose parent never arrived. */
  orphan: z.literal(true).optional(),
  /** Present on a root that is, by its parents, below itself. */
  cycle: z.literal(true).optional(),
  /** Present on a span more than `MAX_TRACE_LEVELS` down: it is listed under an ancestor, not its parent. */
  too_deep: z.literal(true).optional(),
  get children(): z.ZodArray<typeof spanNodeSchema> {
    return z.array(spanNodeSchema);
  },
});
export type SpanNode = StoredEvent & {
  subtree?: Subtree;
  orphan?: true;
  cycle?: true;
  too_deep?: true;
  children: SpanNode[];
};

/** Reply of `GET /v1/traces/:traceId`. `truncated`: the trace has more spans than are listed. */
export const traceReplySchema = z.object({
  trace: traceSummarySchema.extend({ truncated: z.boolean() }),
  spans: z.array(spanNodeSchema),
});
export type TraceReply = {
  trace: TraceSummary & { truncated: boolean };
  spans: SpanNode[];
};

const column = <T extends z.ZodType>(of: T) => z.array(of);

/**
 * Reply of `GET /v1/traces/:traceId/waterfall`: what drawing a trace needs, a seventh of the whole. Columns of equal
 * length, a span at each place: depth first, children by start, so that the `below` spans after one are those
 * below it.
 */
export const waterfallReplySchema = z.object({
  trace: traceSummarySchema.extend({ truncated: z.boolean() }),
  spans: z.object({
    event_id: column(z.string()),
    span_id: column(z.string()),
    /** 0 for a root. */
    depth: column(z.int()),
    below: column(z.int()),
    /** A root whose parent never arrived. */
    orphan: column(z.boolean()),
    /** From the start of the trace. */
    start_ms: column(z.number()),
    latency_ms: column(z.number().nullable()),
    kind: column(z.enum(EVENT_KINDS)),
    /** Its name; else its model; else its operation. */
    name: column(z.string()),
    model: column(z.string().nullable()),
    status: column(z.enum(EVENT_STATUSES)),
    error_code: column(z.string().nullable()),
    /** Of the span and all below it, each call once. */
    cost_usd: column(z.number()),
    unpriced: column(z.int()),
    tokens: column(z.number()),
  }),
});
export type WaterfallReply = z.infer<typeof waterfallReplySchema>;

/** One line of `GET /v1/traces`: `name`, `user_id` and `session_id` are those of the first root. */
export const traceLineSchema = traceSummarySchema.extend({
  name: z.string(),
  user_id: z.string().nullable(),
  session_id: z.string().nullable(),
});
export type TraceLine = z.infer<typeof traceLineSchema>;

/** Reply of `GET /v1/traces`. A page may hold fewer than `limit` and still have one after it. */
export const tracePageSchema = z.object({
  traces: z.array(traceLineSchema),
  nextCursor: z.string().nullable(),
});
export type TracePage = z.infer<typeof tracePageSchema>;
