import { z } from 'zod';
import { parseInstant } from '../../lib/time.ts';
import { projectIdParam } from '../tenancy/contract.ts';
import { filterParam, filterText } from './filter/contract.ts';
import { COST_STATUSES, EVENT_KINDS, EVENT_STATUSES } from './values/contract.ts';

export {
  COST_STATUSES,
  type CostStatus,
  EVENT_KINDS,
  EVENT_STATUSES,
  type EventKind,
  type EventStatus,
} from './values/contract.ts';

/** Most tokens that one event may count, so that no sum can overflow. */
export const MAX_TOKENS = 1_000_000_000;

const KIND_TEXT =
  'Kind of span: `llm`, `embedding`, `tool`, `retrieval`, `agent`, `chain` or another of the listed values.';

/** One event as the API returns it. */
export const storedEventSchema = z
  .object({
    event_id: z.string().describe('Id of the event, a UUID.'),
    trace_id: z.string().describe('Id of the trace.'),
    span_id: z.string().describe('Id of the span.'),
    parent_span_id: z.string().nullable().describe('Id of the parent span; null for a root.'),
    timestamp: z.string().describe('Time of the event, ISO 8601 UTC.'),
    kind: z.enum(EVENT_KINDS).describe(KIND_TEXT),
    name: z.string().nullable().describe('Name; null without one.'),
    provider: z
      .string()
      .nullable()
      .describe('Provider of the model, such as `openai`; derived from the model if it was not sent.'),
    model: z.string().nullable().describe('Model name as it was sent.'),
    operation: z.string().describe('Operation, such as `chat`.'),
    latency_ms: z.number().nullable().describe('Latency in milliseconds; null if it was not sent.'),
    ttft_ms: z
      .number()
      .nullable()
      .describe('Time to the first token in milliseconds; null if it was not sent.'),
    input_tokens: z
      .number()
      .describe(
        'Input tokens as they were sent, or as `usage` has them if no count was sent; whether cached ones are included depends on the sender. Filters, costs, users and traces count them always: `normalised` of `GET /v1/events/:id/cost` has the counts as they are used.',
      ),
    output_tokens: z
      .number()
      .describe(
        'Output tokens as they were sent; whether reasoning is included depends on the sender. See `input_tokens`.',
      ),
    cached_input_tokens: z.number().describe('Input tokens read from a prompt cache, as they were sent.'),
    cache_write_tokens: z.number().describe('Input tokens written to a prompt cache, as they were sent.'),
    reasoning_tokens: z.number().describe('Reasoning tokens, as they were sent.'),
    counted: z
      .boolean()
      .describe(
        'Whether it counts as a call: false for other spans, and for a call that another span stands for.',
      ),
    cost_usd: z
      .number()
      .nullable()
      .describe('Cost in USD; null if the model has no known price, and for spans that do not count.'),
    cost_status: z
      .enum(COST_STATUSES)
      .nullable()
      .describe(
        'How the cost is known: priced, stated by the sender, estimated or unpriced; null for spans that do not count.',
      ),
    status: z.enum(EVENT_STATUSES).describe('Outcome of the call or span.'),
    error_code: z.string().nullable().describe('Error code, as it was sent; null without one.'),
    error_message: z.string().nullable().describe('Error message, as it was sent; null without one.'),
    stream: z.boolean().describe('Whether the reply was streamed.'),
    environment: z.string().describe('Environment, such as `production`.'),
    user_id: z.string().nullable().describe('End user, as it was sent; null if none was.'),
    session_id: z.string().nullable().describe('Session, as it was sent; null if none was.'),
    key_id: z
      .string()
      .nullable()
      .describe('Id of the API key that sent the event; null if it came another way.'),
    agent: z.string().nullable().describe('Agent that made the call; null if none was sent.'),
    agent_version: z.string().nullable().describe('Version of the agent; null if none was sent.'),
    tool: z.string().nullable().describe('Tool that was called; null if none was sent.'),
    release: z.string().nullable().describe('Release of the application; null if none was sent.'),
    prompt_name: z.string().nullable().describe('Name of the prompt template; null if none was sent.'),
    prompt_version: z.string().nullable().describe('Version of the prompt template; null if none was sent.'),
    prompt_hash: z.string().nullable().describe('Hash of the prompt template; null if none was sent.'),
    sdk_version: z
      .string()
      .nullable()
      .describe('Version of the SDK that sent the event; null if none was sent.'),
    finish_reason: z.string().nullable().describe('Why the model stopped, as it was sent; null if unknown.'),
    tags: z.record(z.string(), z.unknown()).describe('Tags, as they were sent.'),
    metadata: z.record(z.string(), z.unknown()).describe('Metadata, as it was sent.'),
    usage: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Usage object, as the provider returned it; null if none was sent.'),
    input: z
      .unknown()
      .optional()
      .describe('Text or JSON that was sent to the model; only in projects that store prompts.'),
    output: z
      .unknown()
      .optional()
      .describe('Text or JSON that the model returned; only in projects that store prompts.'),
  })
  .meta({ id: 'Event' });
export type StoredEvent = z.infer<typeof storedEventSchema>;

/** Page sizes of lists of events and traces. */
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
  filter: filterParam.describe(filterText.description ?? ''),
  start: instantParam.describe('Start, ISO 8601 UTC.'),
  end: instantParam.describe('End, ISO 8601 UTC.'),
  model: textParam(300).describe('Model name as it was sent.'),
  provider: textParam(200).describe(
    'Provider of the model, such as `openai`. `google` also means the names that clients send for it, such as `gcp.gemini`, and so for other providers; such a name means itself alone.',
  ),
  status: z.enum(EVENT_STATUSES).optional().describe('Outcome of the call or span.'),
  environment: textParam(200).describe('Environment, such as `production`.'),
  userId: textParam(500).describe('Only events of this end user.'),
  errorCode: textParam(200).describe(
    'Failed calls of one group of `GET /v1/errors`: their error code, or their status where they have none.',
  ),
  sessionId: textParam(500).describe('Only events of this session.'),
};
/** A cursor holds an id of up to 128 characters, each of which may take 6 in JSON. */
const MAX_CURSOR = 1_200;
const pageParams = {
  cursor: textParam(MAX_CURSOR).describe('`nextCursor` of the previous page; without one, the first page.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_PAGE_SIZE)
    .default(DEFAULT_PAGE_SIZE)
    .describe('Most rows in a page, 1 to 200. Default: 50.'),
};

type Bounds = { readonly start?: number | undefined; readonly end?: number | undefined };
const inOrder = ({ start, end }: Bounds): boolean => start === undefined || end === undefined || start <= end;
const ORDER_ISSUE = { path: ['start'], message: 'must not be after end' };

const kindParam = z.enum(EVENT_KINDS).optional().describe(KIND_TEXT);

const metricsParams = {
  ...filterParams,
  start: instantParam.describe('Start, ISO 8601 UTC. Default: 00:00 UTC, 30 days before the end.'),
  end: instantParam.describe('End, ISO 8601 UTC, inclusive. Default: now.'),
  kind: kindParam,
};

/** Query of the metrics endpoints, without the project. */
export const metricsFilterSchema = z.object(metricsParams).refine(inOrder, ORDER_ISSUE);
export type MetricsFilter = z.output<typeof metricsFilterSchema>;

/** Query of the metrics endpoints that take the project as a parameter. */
export const metricsQuerySchema = z
  .object({
    projectId: projectIdParam,
    ...metricsParams,
  })
  .refine(inOrder, ORDER_ISSUE);

/** `kind` beyond the calls: one of them, or `all`. */
const listParams = {
  projectId: projectIdParam,
  ...filterParams,
  kind: z
    .enum([...EVENT_KINDS, 'all'])
    .optional()
    .describe(KIND_TEXT),
};

/** Query of `GET /v1/events` and `GET /v1/traces`. */
export const listQuerySchema = z.object({ ...listParams, ...pageParams }).refine(inOrder, ORDER_ISSUE);

/** What costs are told apart by. */
export const costFilterSchema = z.object({
  keyId: textParam(100).describe('Only events that this API key sent.'),
  tag: textParam(500).describe(
    'Only events with this tag: `NAME=VALUE`, where a value that is not text is written as JSON.',
  ),
  costStatus: z.enum(COST_STATUSES).optional().describe('How the cost is known.'),
});

/** Query of `GET /v1/events`: besides, what costs are told apart by. */
export const eventsQuerySchema = z.intersection(listQuerySchema, costFilterSchema);
export type EventsQuery = z.output<typeof eventsQuerySchema>;

/** Query of `GET /v1/events/export`: the filters of the list, without its pages. */
export const exportQuerySchema = z.intersection(
  z.object(listParams).refine(inOrder, ORDER_ISSUE),
  costFilterSchema.extend({
    format: z
      .enum(['csv', 'ndjson', 'parquet'])
      .default('ndjson')
      .describe(
        '`csv`, `ndjson` with one JSON object per line, or `parquet` with typed columns. Default: `ndjson`.',
      ),
  }),
);

/** Reply of `GET /v1/events`. */
export const eventPageSchema = z.object({
  events: z.array(storedEventSchema).describe('Events, newest first unless the endpoint says otherwise.'),
  nextCursor: z
    .string()
    .nullable()
    .describe('Opaque; pass it as `cursor` to get the next page. Null on the last page.'),
  total: z.int().describe('Number of all events that match, over all pages.'),
});
export type EventPage = z.infer<typeof eventPageSchema>;

/** What the spans of a trace or session add up to. Times are ISO 8601; tokens and cost are of the calls, each once. */
export const eventSumsSchema = z.object({
  start: z.string().describe('Start, ISO 8601 UTC.'),
  end: z.string().describe('End, ISO 8601 UTC.'),
  duration_ms: z
    .number()
    .describe('From the start of the first span to the end of the last, in milliseconds.'),
  spans: z.int().describe('Number of spans.'),
  llm_calls: z.int().describe('Calls of a model, each counted once.'),
  errors: z.int().describe('Spans of any kind that ended in error, timeout or rate_limited.'),
  cost_usd: z.number().describe('Cost of the calls in USD, without those whose price is unknown.'),
  unpriced: z.int().describe('Calls without a known price; `cost_usd` does not include them.'),
  input_tokens: z.number().describe('Input tokens, cached ones included.'),
  output_tokens: z.number().describe('Output tokens, reasoning included.'),
});
export type EventSums = z.infer<typeof eventSumsSchema>;

/** What a trace adds up to. */
export const traceSummarySchema = eventSumsSchema
  .extend({
    trace_id: z.string().describe('Id of the trace.'),
  })
  .meta({ id: 'TraceSummary' });
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
export const spanNodeSchema = storedEventSchema
  .extend({
    subtree: subtreeSchema
      .optional()
      .describe('Sums of the span and all below it; present if it has children.'),
    orphan: z.literal(true).optional().describe('Present on a root whose parent never arrived.'),
    cycle: z.literal(true).optional().describe('Present on a root that, by its parents, is below itself.'),
    too_deep: z
      .literal(true)
      .optional()
      .describe('Present on a span that is more than 100 levels deep: it is listed under an ancestor.'),
    get children(): z.ZodArray<typeof spanNodeSchema> {
      return z.array(spanNodeSchema).describe('Spans below this one, by start.');
    },
  })
  .meta({ id: 'SpanNode' });
export type SpanNode = StoredEvent & {
  subtree?: Subtree;
  orphan?: true;
  cycle?: true;
  too_deep?: true;
  children: SpanNode[];
};

/** Reply of `GET /v1/traces/:traceId`. `truncated`: the trace has more spans than are listed. */
export const traceReplySchema = z.object({
  trace: traceSummarySchema
    .extend({ truncated: z.boolean().describe('Whether there are more than the reply lists.') })
    .describe('Sums of the trace.'),
  spans: z.array(spanNodeSchema).describe('Roots of the tree, by start.'),
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
  trace: traceSummarySchema
    .extend({ truncated: z.boolean().describe('Whether there are more than the reply lists.') })
    .describe('Sums of the trace.'),
  spans: z
    .object({
      event_id: column(z.string()).describe('Id of the event, a UUID.'),
      span_id: column(z.string()).describe('Id of the span.'),
      depth: column(z.int()).describe('Depth in the tree; 0 for a root.'),
      below: column(z.int()).describe('Number of spans below this one; they follow it.'),
      orphan: column(z.boolean()).describe('Whether the span is a root whose parent never arrived.'),
      start_ms: column(z.number()).describe('Start, in milliseconds after the start of the trace.'),
      latency_ms: column(z.number().nullable()).describe('Latency in milliseconds; null if it was not sent.'),
      kind: column(z.enum(EVENT_KINDS)).describe(
        'Kind of span: `llm`, `embedding`, `tool`, `retrieval`, `agent`, `chain` or another of the listed values.',
      ),
      name: column(z.string()).describe('Name, or the operation; empty without either.'),
      model: column(z.string().nullable()).describe('Model name as it was sent.'),
      status: column(z.enum(EVENT_STATUSES)).describe('Outcome of the call or span.'),
      error_code: column(z.string().nullable()).describe('Error code, as it was sent; null without one.'),
      cost_usd: column(z.number()).describe(
        'Cost in USD; 0 without a known price (see `unpriced`), and for spans that do not count.',
      ),
      unpriced: column(z.int()).describe('Calls without a known price; their cost is in no sum.'),
      tokens: column(z.number()).describe('Input and output tokens.'),
    })
    .describe('Columns of equal length; each place is a span.'),
});
export type WaterfallReply = z.infer<typeof waterfallReplySchema>;

/** Most spans that a search in a trace names. */
export const MAX_FOUND_SPANS = 10_000;

/** Reply of `GET /v1/traces/:traceId/search`. */
export const traceMatchesSchema = z.object({
  event_ids: z.array(z.string()).describe('Ids of the spans with the text, oldest first; at most 10,000.'),
  truncated: z.boolean().describe('Whether more spans may have it.'),
});
export type TraceMatches = z.infer<typeof traceMatchesSchema>;

/** One line of `GET /v1/traces`: `name`, `user_id` and `session_id` are those of the first root. */
export const traceLineSchema = traceSummarySchema
  .extend({
    name: z.string().describe('Name of the first root, or its operation; empty without either.'),
    user_id: z.string().nullable().describe('End user, as it was sent; null if none was.'),
    session_id: z.string().nullable().describe('Session, as it was sent; null if none was.'),
  })
  .meta({ id: 'TraceLine' });
export type TraceLine = z.infer<typeof traceLineSchema>;

/** Reply of `GET /v1/traces`. A page may hold fewer than `limit` and still have one after it. */
export const tracePageSchema = z.object({
  traces: z.array(traceLineSchema).describe('Traces, newest first.'),
  nextCursor: z
    .string()
    .nullable()
    .describe('Opaque; pass it as `cursor` to get the next page. Null on the last page.'),
});
export type TracePage = z.infer<typeof tracePageSchema>;
