import { z } from 'zod';
import { EVENT_KINDS, EVENT_STATUSES } from '../../core/events/contract.ts';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';
import { EXAMPLE_REQUEST, otlpRequestSchema } from './request/contract.ts';

const MB = 1_048_576;

/** Largest request or file that the inspector explains. */
export const MAX_INSPECTED_BYTES = 4 * MB;

/** Reply of `POST /v1/otel` in JSON (opentelemetry-proto, ExportTraceServiceResponse). */
export const traceReplySchema = z.object({
  partialSuccess: z
    .object({
      rejectedSpans: z.string().describe('Number of refused spans, as text.'),
      errorMessage: z.string().describe('Why the first of them were refused.'),
    })
    .optional()
    .describe('Present only if spans were refused; do not send these again unchanged.'),
});

/** A field of the event and its source: an attribute, a path into one, or a rule in words. */
const inspectedFieldSchema = z.object({
  field: z.string().describe('Field of the event.'),
  value: z.union([z.string(), z.number(), z.boolean()]).describe('Its value.'),
  from: z.string().describe('Attribute, path into one, or rule that the value comes from.'),
  note: z.string().optional().describe('What else to know about the value.'),
});

const droppedSchema = z.object({
  name: z.string().describe('Name.'),
  reason: z.string().describe('Why, in words.'),
});

/** One span as it is read. Nothing is stored. */
export const inspectedSpanSchema = z.object({
  span: z.int().describe('Number of the span in the request, from 1.'),
  trace_id: z.string().describe('Id of the trace.'),
  span_id: z.string().describe('Id of the span.'),
  parent_span_id: z.string().nullable().describe('Id of the parent span; null for a root.'),
  name: z.string().describe('Name.'),
  sender: z.string().nullable().describe('Instrumentation that made the span; null if unknown.'),
  kind: z
    .enum(EVENT_KINDS)
    .describe(
      'Kind of span: `llm`, `embedding`, `tool`, `retrieval`, `agent`, `chain` or another of the listed values.',
    ),
  is_call: z.boolean().describe('Whether the span is a call of a model, which costs money.'),
  counted: z
    .boolean()
    .describe('Whether the call counts: false if another span of the request stands for it.'),
  why: z.array(z.string()).describe('Why, in words.'),
  status: z.enum(EVENT_STATUSES).describe('Outcome of the call or span.'),
  fields: z.array(inspectedFieldSchema).describe('Fields of the event, and where each came from.'),
  cost: z
    .object({
      usd: z
        .number()
        .nullable()
        .describe('Cost in USD; null without a price and for spans that are no call.'),
      why: z.string().describe('Why, in words.'),
    })
    .describe('What the call costs.'),
  kept: z.array(z.string()).describe('Attributes that are kept in metadata or tags.'),
  unused: z.array(droppedSchema).describe('Attributes that are neither read nor kept, and why.'),
  content: z
    .array(
      z.object({ name: z.string().describe('Name.'), characters: z.int().describe('Length in characters.') }),
    )
    .describe('Attributes with prompts and answers; dropped unless the project stores them.'),
  deprecated: z
    .array(
      z.object({
        name: z.string().describe('Name.'),
        successor: z.string().describe("Name in today's convention."),
      }),
    )
    .describe('Attribute names of older conventions that were read.'),
  hints: z.array(z.string()).describe('What to do about missing fields.'),
});
export type InspectedSpan = z.infer<typeof inspectedSpanSchema>;

/** Reply of `POST /v1/otel/inspect`. */
export const inspectReplySchema = z.object({
  encoding: z.enum(['json', 'protobuf']).describe('Encoding of the request.'),
  spans: z.int().describe('Number of spans in the request.'),
  calls: z.int().describe('Number of model calls.'),
  counted: z.int().describe('Number of calls that count, each once.'),
  input_tokens: z.int().describe('Input tokens, cached ones included.'),
  output_tokens: z.int().describe('Output tokens, reasoning included.'),
  cost_usd: z.number().describe('Cost in USD, without calls whose price is unknown.'),
  unpriced: z.int().describe('Counted calls without a known price.'),
  senders: z
    .array(
      z.object({
        name: z.string().describe('Client or framework that made the spans.'),
        known: z.boolean().describe('Whether its dialect is known.'),
        spans: z.int().describe('Number of its spans.'),
        calls: z.int().describe('Number of calls among them.'),
        user: z.boolean().describe('Whether calls name a user.'),
        session: z.boolean().describe('Whether calls name a session.'),
        prompts: z.boolean().describe('Whether spans contain prompts or answers.'),
        tools: z.boolean().describe('Whether there are spans of tools.'),
        hints: z.array(z.string()).describe('What to set so that the missing ones arrive.'),
      }),
    )
    .describe('The clients that sent calls.'),
  resource: z.array(droppedSchema).describe('Attributes of resources that are not kept, and why.'),
  refused: z
    .array(
      z.object({
        span: z.int().describe('Number of the span in the request, from 1.'),
        error: z.string().describe('Why the span was refused.'),
      }),
    )
    .describe('First refused spans; `refused_spans` counts all.'),
  refused_spans: z.int().describe('Number of refused spans.'),
  details: z.array(inspectedSpanSchema).describe('The spans, as they are mapped.'),
  truncated: z.boolean().describe('Whether there are more spans than `details` lists.'),
});
export type InspectReply = z.infer<typeof inspectReplySchema>;

const DOCUMENTED_PATHS = ['/v1/otel', '/v1/otel/v1/traces', '/v1/traces'] as const;

/**
 * Paths that OTLP exporters post to: the documented path, the two that exporters append to a base address, those of the
 * SDKs of Langfuse and LangSmith, and what becomes of an address that already ends with a path or a slash.
 */
export const OTLP_PATHS = [
  ...DOCUMENTED_PATHS,
  '/api/public/otel/v1/traces',
  '/otel/v1/traces',
  '/v1/traces/v1/traces',
  '/v1/otel/v1/traces/v1/traces',
  '/v1/traces/',
  '/v1/otel/',
] as const;

const isDocumented = (path: string): boolean => DOCUMENTED_PATHS.some((documented) => documented === path);

/** The endpoint under one of these paths; only the documented ones are in the reference. */
export const otlpEndpoint = (path: (typeof OTLP_PATHS)[number]) =>
  defineEndpoint({
    method: 'POST',
    path,
    ...(isDocumented(path) ? {} : { hidden: true }),
    auth: 'anyKey',
    anyServer: true,
    summary: 'Record the spans of an OTLP trace request (JSON or Protobuf, gzip, deflate or plain)',
    description:
      'An `ExportTraceServiceRequest` of OTLP/HTTP, at most 32 MB (4 MB compressed). Each model call is counted once, however many spans describe it. The OTLP inspector shows how a request is read.',
    rawBody: {
      'application/json': { schema: otlpRequestSchema, example: EXAMPLE_REQUEST },
      'application/x-protobuf': {
        schema: z.string().meta({ format: 'binary', description: 'The same message in Protobuf.' }),
      },
    },
    // The Collector and the SDKs support gzip, Python's SDK also deflate.
    bodyLimits: { maxCompressed: 4 * MB, maxRaw: 32 * MB, encodings: ['gzip', 'deflate'] },
    status: 202,
    reply: traceReplySchema,
  });

export const inspectEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/otel/inspect',
  auth: 'project',
  scopes: ['read'],
  summary: 'Show how the spans of an OTLP trace request are mapped, counted and priced; stores nothing',
  query: projectQuery,
  description:
    'As `application/octet-stream` the body may be a file: JSON, one JSON request per line as the file exporter of the Collector writes it, or Protobuf.',
  rawBody: {
    'application/json': { schema: otlpRequestSchema, example: EXAMPLE_REQUEST },
    'application/octet-stream': {
      schema: z.string().meta({ format: 'binary', description: 'A file with requests.' }),
    },
  },
  bodyLimits: { maxCompressed: MB, maxRaw: MAX_INSPECTED_BYTES, encodings: ['gzip', 'deflate'] },
  reply: inspectReplySchema,
});
