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
