import { z } from 'zod';

const attribute = z
  .object({
    key: z.string().describe('Name of the attribute, such as `gen_ai.request.model`.'),
    value: z
      .looseObject({
        stringValue: z.string().optional().describe('A text.'),
        intValue: z.union([z.string(), z.int()]).optional().describe('A whole number; as text beyond 2^53.'),
        doubleValue: z.number().optional().describe('A number.'),
        boolValue: z.boolean().optional().describe('True or false.'),
      })
      .describe('Value: one of these, or `arrayValue`, `kvlistValue` or `bytesValue`.'),
  })
  .meta({ id: 'OtlpAttribute' });

const nanoseconds = z.union([z.string(), z.int()]);

const span = z
  .looseObject({
    traceId: z.string().describe('Id of the trace, 32 hex digits.'),
    spanId: z.string().describe('Id of the span, 16 hex digits.'),
    parentSpanId: z.string().optional().describe('Id of the parent span; empty for a root.'),
    name: z.string().describe('Name of the span.'),
    kind: z.int().optional().describe('Kind of the span in OTLP.'),
    startTimeUnixNano: nanoseconds.describe('Start, nanoseconds since 1970.'),
    endTimeUnixNano: nanoseconds.describe('End, nanoseconds since 1970.'),
    attributes: z.array(attribute).optional().describe('Attributes; the model call is read from `gen_ai.*`.'),
    status: z
      .object({
        code: z.int().optional().describe('0 unset, 1 ok, 2 error.'),
        message: z.string().optional().describe('Error message.'),
      })
      .optional()
      .describe('Outcome of the span.'),
  })
  .meta({ id: 'OtlpSpan' });

/** An OTLP trace request in JSON, as far as it is read (opentelemetry-proto, ExportTraceServiceRequest). */
export const otlpRequestSchema = z
  .looseObject({
    resourceSpans: z
      .array(
        z.looseObject({
          resource: z
            .looseObject({
              attributes: z.array(attribute).optional().describe('Attributes of the resource.'),
            })
            .optional()
            .describe('What sent the spans.'),
          scopeSpans: z
            .array(z.looseObject({ spans: z.array(span).describe('The spans.') }))
            .describe('Spans by instrumentation.'),
        }),
      )
      .describe('Spans by resource.'),
  })
  .meta({ id: 'OtlpTraceRequest' });

/** A request that is accepted, for the reference. */
export const EXAMPLE_REQUEST = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'assistant' } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b174',
              name: 'chat gpt-4o',
              kind: 3,
              startTimeUnixNano: '1769860800000000000',
              endTimeUnixNano: '1769860800840000000',
              attributes: [
                { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
                { key: 'gen_ai.provider.name', value: { stringValue: 'openai' } },
                { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
                { key: 'gen_ai.usage.input_tokens', value: { intValue: '1200' } },
                { key: 'gen_ai.usage.output_tokens', value: { intValue: '350' } },
              ],
            },
          ],
        },
      ],
    },
  ],
} satisfies z.input<typeof otlpRequestSchema>;
