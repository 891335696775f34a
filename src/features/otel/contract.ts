import { z } from 'zod';
import { EVENT_KINDS, EVENT_STATUSES } from '../../core/events/contract.ts';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';

/** Reply of `POST /v1/otel` in JSON (opentelemetry-proto, ExportTraceServiceResponse). */
export const traceReplySchema = z.object({
  /** Present only if spans were refused. They must not be sent again unchanged. */
  partialSuccess: z.object({ rejectedSpans: z.string(), errorMessage: z.string() }).optional(),
});

/** A field of the event and its source: an attribute, a path into one, or a rule in words. */
const inspectedFieldSchema = z.object({
  field: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  from: z.string(),
  note: z.string().optional(),
});

/** One span as it is read. Nothing is stored. */
export const inspectedSpanSchema = z.object({
  /** Position in the request, from 1. */
  span: z.int(),
  trace_id: z.string(),
  span_id: z.string(),
  parent_span_id: z.string().nullable(),
  name: z.string(),
  /** The instrumentation that created it. */
  sender: z.string().nullable(),
  kind: z.enum(EVENT_KINDS),
  /** Whether it is a model call, which costs money. */
  is_call: z.boolean(),
  /** False for a call that another span of this request also reports. */
  counted: z.boolean(),
  /** Why it is a call or not, and why it is counted or not. */
  why: z.array(z.string()),
  status: z.enum(EVENT_STATUSES),
  fields: z.array(inspectedFieldSchema),
  /** USD; null without a price and for spans that are not calls. `why` explains it. */
  cost: z.object({ usd: z.number().nullable(), why: z.string() }),
  /** Attributes that are stored unchanged in metadata or tags. */
  kept: z.array(z.string()),
  /** Attributes that are ignored. */
  unused: z.array(z.string()),
  /** Attributes with prompts and answers, dropped unless the project stores them. */
  content: z.array(z.object({ name: z.string(), characters: z.int() })),
  /** Names of older conventions that were read, with the current names. */
  deprecated: z.array(z.object({ name: z.string(), successor: z.string() })),
  /** How to supply missing fields. */
  hints: z.array(z.string()),
});
export type InspectedSpan = z.infer<typeof inspectedSpanSchema>;

/** Reply of `POST /v1/otel/inspect`. */
export const inspectReplySchema = z.object({
  encoding: z.enum(['json', 'protobuf']),
  spans: z.int(),
  calls: z.int(),
  /** Distinct calls. */
  counted: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number(),
  /** Counted calls without a known price. */
  unpriced: z.int(),
  /** The first refused spans; `refused_spans` is the total. */
  refused: z.array(z.object({ span: z.int(), error: z.string() })),
  refused_spans: z.int(),
  details: z.array(inspectedSpanSchema),
  /** True if there are more spans than `details` lists. */
  truncated: z.boolean(),
});
export type InspectReply = z.infer<typeof inspectReplySchema>;

/**
 * Paths that OTLP exporters post to: the documented path, the two that exporters append to a base address, and those
 * of the SDKs of Langfuse and LangSmith.
 */
export const OTLP_PATHS = [
  '/v1/otel',
  '/v1/otel/v1/traces',
  '/v1/traces',
  '/api/public/otel/v1/traces',
  '/otel/v1/traces',
] as const;

/** The endpoint under one of these paths; those of foreign SDKs are left out of the reference. */
export const otlpEndpoint = (path: (typeof OTLP_PATHS)[number]) =>
  defineEndpoint({
    method: 'POST',
    path,
    ...(path.startsWith('/v1/') ? {} : { hidden: true }),
    auth: 'anyKey',
    summary: 'Record the spans of an OTLP trace request (JSON or Protobuf, gzip, deflate or plain)',
    status: 202,
    reply: traceReplySchema,
  });

export const inspectEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/otel/inspect',
  auth: 'project',
  summary: 'Show how the spans of an OTLP trace request are mapped, counted and priced; stores nothing',
  query: projectQuery,
  reply: inspectReplySchema,
});
