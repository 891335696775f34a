import { z } from 'zod';
import { metricsDocumentSchema, metricsReplySchema } from '../../core/events/query/contract.ts';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';

export const metricsQueryEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/metrics/query',
  auth: 'project',
  scopes: ['read'],
  summary: 'Query figures of calls by any two dimensions and over time',
  description:
    'Each call counts once, as on all pages. `groups` has the first groups by `orderBy`, `others` all other groups together, `total` all calls. A value that no call tells, such as the latency of no calls or the cost of calls without a known price, is null. Series and window end at `end`, which is inclusive; the last step is `partial` while it lasts.',
  query: projectQuery,
  body: metricsDocumentSchema,
  example: {
    measures: ['cost', 'requests', 'latencyP95'],
    groupBy: ['release'],
    filter: 'environment:production -status:failed',
    range: '7d',
    bucket: '1d',
    timeZone: 'Europe/Berlin',
    limit: 5,
    compare: 'previous',
  },
  reply: metricsReplySchema,
});

/** Most documents of one request. */
export const MAX_QUERIES = 24;

export const metricsQueriesEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/metrics/queries',
  auth: 'project',
  scopes: ['read'],
  summary: 'Answer up to 24 queries of figures in one request',
  description:
    'Each query and each reply is as of `POST /v1/metrics/query`. A query that is refused, such as one of too many groups, has its error in place of a reply; the others are answered.',
  query: projectQuery,
  body: z.strictObject({
    queries: z.array(metricsDocumentSchema).min(1).max(MAX_QUERIES).describe('Queries, 1 to 24.'),
  }),
  example: {
    queries: [
      { measures: ['cost'], groupBy: ['release'], range: '7d', bucket: '1d' },
      { measures: ['latencyP50', 'latencyP95'], histogram: 'latency', range: '7d' },
    ],
  },
  reply: z.object({
    replies: z
      .array(
        z.object({
          reply: metricsReplySchema.nullable().describe('The reply; null if the query was refused.'),
          error: z.string().nullable().describe('Why the query was refused; null if it was not.'),
        }),
      )
      .describe('In the order of the queries.'),
  }),
});
