import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../../../core/tenancy/contract.ts';

/** What can be saved. */
export const RECOMMENDATION_KINDS = ['failed-calls', 'cheaper-model'] as const;

const recommendationSchema = z
  .object({
    id: z.string().describe('What it is about; the same while that is so.'),
    kind: z
      .enum(RECOMMENDATION_KINDS)
      .describe(
        '`failed-calls`: calls that were paid and failed. `cheaper-model`: a smaller model of the same family.',
      ),
    title: z.string().describe('What to do, in a line.'),
    provider: z.string().nullable().describe('Provider of the calls.'),
    model: z.string().describe('Model of the calls.'),
    to: z.string().nullable().describe('Model to use instead; null if none is.'),
    monthlyUsd: z.number().describe('What would have been saved in the last 30 days, in USD.'),
    range: z
      .object({
        lowUsd: z.number().describe('Low end, in USD.'),
        highUsd: z.number().describe('High end, in USD.'),
      })
      .describe('95 % interval of `monthlyUsd` by how much the days differ.'),
    confidence: z
      .enum(['high', 'low'])
      .describe(
        '`high`: the amount was paid for nothing. `low`: test first whether the other model is good enough.',
      ),
    evidence: z
      .object({
        calls: z.number().describe('Calls that it is about.'),
        costUsd: z.number().describe('What they cost, in USD.'),
        outputTokensAvg: z.number().describe('Mean output tokens of a call.'),
      })
      .describe('The figures behind it, of the last 30 days.'),
    query: z
      .object({
        measures: z.array(z.string()).describe('What is measured.'),
        filter: z.string().describe('The calls, in the filter language.'),
        range: z.string().describe('Window by name.'),
      })
      .describe('The query behind it: a body of `POST /v1/metrics/query`.'),
  })
  .meta({ id: 'Recommendation' });
export type Recommendation = z.infer<typeof recommendationSchema>;

export const recommendationsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/ai/recommendations',
  auth: 'project',
  limit: 'ai',
  scopes: ['read', 'ai:use'],
  summary: 'List what would have saved money in the last 30 days',
  description:
    'Computed from the recorded calls and today’s prices, without a model. One is listed if it would have saved at least 1 USD and 1 % of all cost. Amounts of different kinds overlap and do not add up. Counts against the limit of 20 requests per hour and organization.',
  query: projectQuery,
  reply: z.object({
    recommendations: z.array(recommendationSchema).describe('The largest amount first; at most 50.'),
  }),
});
