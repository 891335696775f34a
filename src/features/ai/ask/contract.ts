import { z } from 'zod';
import {
  deletedShape,
  METRIC_DIMENSIONS,
  metricsDocumentSchema,
  UNITS,
} from '../../../core/events/query/contract.ts';
import { modelIdSchema } from '../../../core/models/contract.ts';
import { defineEndpoint, projectQuery } from '../../../core/tenancy/contract.ts';
import { PRESETS } from '../../../lib/ranges/presets.ts';
import { isTimeZone } from '../../../lib/time-zone.ts';

/** Longest question in characters. */
export const MAX_QUESTION = 500;

/** A query as it was written: `POST /v1/metrics/query` takes it as it is. */
const writtenQuerySchema = z
  .strictObject({
    measures: z.array(z.string()).describe('What is measured.'),
    groupBy: z.array(z.string()).optional().describe('Dimensions that it is split by.'),
    filter: z.string().optional().describe('The calls, in the filter language.'),
    range: z.string().optional().describe('Window by name.'),
    start: z.string().optional().describe('Start, ISO 8601 UTC, inclusive.'),
    end: z.string().optional().describe('End, ISO 8601 UTC, inclusive.'),
    bucket: z.string().optional().describe('Length of a step.'),
    timeZone: z.string().optional().describe('Time zone of days and of ranges by name.'),
    orderBy: z
      .strictObject({
        measure: z.string().describe('Measure of the order.'),
        direction: z.string().optional().describe('`desc` or `asc`.'),
      })
      .optional()
      .describe('Order of the groups.'),
    limit: z.int().optional().describe('Groups of their own.'),
    compare: z.string().optional().describe('`previous` for the window just before.'),
  })
  .meta({ id: 'WrittenQuery' });
export type WrittenQuery = z.infer<typeof writtenQuerySchema>;

const baselineSchema = z
  .strictObject({
    range: z.string().optional().describe('Window by name.'),
    start: z.string().optional().describe('Start, ISO 8601 UTC, inclusive.'),
    end: z.string().optional().describe('End, ISO 8601 UTC, inclusive.'),
  })
  .nullable();

const contextSchema = z
  .strictObject({
    query: writtenQuerySchema.describe('`query` of the reply before.'),
    baseline: baselineSchema.default(null).describe('`baseline` of the reply before.'),
  })
  .refine(
    ({ query, baseline }) =>
      metricsDocumentSchema.safeParse(query).success &&
      metricsDocumentSchema.safeParse({ measures: ['cost'], ...baseline }).success,
    { path: ['query'], message: 'must be a query as POST /v1/metrics/query takes it' },
  );

const value = z.number().nullable();
const rowSchema = z
  .object({
    kind: z
      .enum(['group', 'others', 'step', 'total'])
      .describe('A group; all other groups together; a step of time; or all calls.'),
    key: z
      .record(z.string(), z.string().nullable())
      .describe('Value of each dimension of a group; null for calls without one.'),
    time: z.string().nullable().describe('Start of a step, ISO 8601 UTC; null for other rows.'),
    values: z.record(z.string(), value).describe('Each measure by name; null if no call tells it.'),
    before: z
      .record(z.string(), value)
      .nullable()
      .describe('The same in the window that it is compared with; null without a comparison.'),
    change: z
      .record(z.string(), z.string().nullable())
      .nullable()
      .describe(
        'The change of each measure in percent, such as `+12%`, of rates in points, such as `+1.2 pt`; null without a comparison.',
      ),
    unpriced: z
      .int()
      .nullable()
      .describe('Calls without a known price, which no cost includes; null if no cost is measured.'),
    calls: z
      .int()
      .nullable()
      .describe('All calls, of which `unpriced` are some; null for steps, and if no cost is measured.'),
    unpricedBefore: z
      .int()
      .nullable()
      .describe('`unpriced` in the window that it is compared with; null without a comparison or a cost.'),
  })
  .meta({ id: 'AskRow' });
export type AskRow = z.infer<typeof rowSchema>;

/** How the rows of an answer are best drawn. */
export const CHARTS = ['number', 'bars', 'line', 'table'] as const;

export const askReplySchema = z
  .object({
    question: z.string().describe('The question.'),
    source: z
      .enum(['grammar', 'model'])
      .nullable()
      .describe('Who read it: fixed rules, or a language model. Null if nobody could.'),
    model: z.string().nullable().describe('The model that read it; null if none did.'),
    query: writtenQuerySchema
      .nullable()
      .describe(
        'What the question means: a body of `POST /v1/metrics/query`; null if it was not understood.',
      ),
    baseline: baselineSchema.describe(
      'The window that the figures are compared with, if it is not the one just before; else null.',
    ),
    start: z.string().nullable().describe('Start of the window, ISO 8601 UTC, inclusive.'),
    end: z.string().nullable().describe('End of the window, ISO 8601 UTC, inclusive.'),
    measures: z
      .array(
        z.object({
          name: z.string().describe('Name of the measure.'),
          label: z.string().describe('The measure in words.'),
          unit: z.enum(UNITS).describe('Unit of its values.'),
        }),
      )
      .describe('What was measured.'),
    rows: z
      .array(rowSchema)
      .describe('The figures: groups in their order, or steps, and the total as the last row.'),
    chart: z
      .enum(CHARTS)
      .nullable()
      .describe('How the rows are best drawn: a number, bars, a line or only a table. Null without rows.'),
    answer: z
      .string()
      .nullable()
      .describe(
        'The answer in a sentence. Each number in it is one of `rows`, rounded; names are in quotes.',
      ),
    ...deletedShape,
    refusal: z
      .object({
        message: z
          .string()
          .describe('Why there is no answer: what was understood, what was not, and who could read it.'),
        understood: z.array(z.string()).describe('What was understood.'),
        unknown: z.array(z.string()).describe('Words that were not understood, and what no query can say.'),
        nearest: z
          .string()
          .nullable()
          .describe(
            'The question without the words that were not understood, if it has an answer then. It is only offered: it asks something else.',
          ),
        examples: z.array(z.string()).describe('Questions that are understood.'),
      })
      .nullable()
      .describe('Why there is no answer; null if there is one.'),
  })
  .meta({ id: 'AskReply' });
export type AskReply = z.infer<typeof askReplySchema>;

export const askEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/ai/query',
  auth: 'project',
  scopes: ['ai:use'],
  limit: 'ai',
  summary: 'Answer a question about costs, calls, errors and latency',
  description:
    'Common questions are read by fixed rules. What they cannot read goes to a language model, if the operator configured one and the caller is at least a member; the model chooses the query and never sees figures, names or texts of events. All figures come from the query, which is in the reply and can be changed and run with `POST /v1/metrics/query`. Counts against the limit of 20 requests per hour and organization.',
  query: projectQuery,
  body: z.strictObject({
    question: z
      .string()
      .trim()
      .min(1)
      .max(MAX_QUESTION)
      .describe(`The question, in English, at most ${MAX_QUESTION} characters.`),
    timeZone: z
      .string()
      .refine(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Berlin')
      .default('UTC')
      .describe('Time zone of days and weeks. Default: `UTC`.'),
    context: contextSchema
      .optional()
      .describe('What the question before meant, so that “and by user?” can follow it.'),
    model: modelIdSchema
      .optional()
      .describe(
        'Model for questions that the rules cannot read; `GET /v1/models` lists them. Default: the first.',
      ),
  }),
  example: { question: 'Which model cost the most last week?' },
  reply: askReplySchema,
});

/** What a model answers to a question, for its schema. */
export const DIMENSION_NAMES = Object.keys(METRIC_DIMENSIONS);
export const RANGE_NAMES = Object.keys(PRESETS);
