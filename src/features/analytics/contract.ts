import { z } from 'zod';
import { EVENT_STATUSES, metricsFilterSchema, metricsQuerySchema } from '../../core/events/contract.ts';
import { deletedShape, recordedSinceField } from '../../core/events/query/contract.ts';
import { defineEndpoint } from '../../core/tenancy/contract.ts';

/** Part of each reply with figures of a window: what is in none of them. */
export const leftOutShape = {
  missing: z
    .int()
    .optional()
    .describe(
      'Number of events from about this window that are damaged and in no figure of this reply (`GET /v1/damage`); absent if there are none.',
    ),
  ...deletedShape,
  recordedSince: recordedSinceField,
};

/** The same figures for the window of equal length just before. */
const periodSchema = z.object({
  totalRequests: z.number().describe('Number of calls.'),
  totalCost: z.number().describe('Cost in USD, without calls whose price is unknown.'),
  avgLatency: z.number().describe('Mean latency in milliseconds.'),
  errorRate: z.number().describe('Fraction of calls that failed, 0 to 1.'),
  unpriced: z.number().describe('Calls without a known price; their cost is in no sum.'),
  inputTokens: z.number().describe('Input tokens, cached ones included.'),
  outputTokens: z.number().describe('Output tokens, reasoning included.'),
  cacheRate: z.number().describe('Fraction of input tokens that were read from a prompt cache, 0 to 1.'),
});

/** Reply of `GET /v1/projects/:id/overview`. Costs are USD, latencies milliseconds. */
export const overviewReplySchema = z.object({
  kpis: periodSchema
    .extend({ errors: z.number().describe('Calls that failed.') })
    .describe('Key figures of the window.'),
  previous: periodSchema.describe('The same figures of the window of equal length just before.'),
  bucket: z.enum(['1m', '5m', 'hour', 'day']).describe('Length of a step of the timeline.'),
  timeline: z
    .array(
      z.object({
        hour: z.string().describe('Start of the step, ISO 8601 UTC.'),
        requests: z.number().describe('Number of calls.'),
        cost: z.number().describe('Cost in USD.'),
        errors: z.number().describe('Calls that failed.'),
        avgLatency: z.number().describe('Mean latency in milliseconds.'),
        inputTokens: z.number().describe('Input tokens, cached ones included.'),
        outputTokens: z.number().describe('Output tokens, reasoning included.'),
        cacheRate: z
          .number()
          .describe('Fraction of input tokens that were read from a prompt cache, 0 to 1.'),
      }),
    )
    .describe('Figures over time, oldest first.'),
  topModels: z
    .array(
      z.object({
        model: z.string().describe('Model name as it was sent.'),
        cost: z.number().describe('Cost in USD.'),
        requests: z.number().describe('Number of calls.'),
        unpriced: z.number().describe('Calls without a known price; their cost is in no sum.'),
      }),
    )
    .describe('Models with the highest cost.'),
  recentErrors: z
    .array(
      z.object({
        event_id: z.string().describe('Id of the event, a UUID.'),
        model: z.string().nullable().describe('Model name as it was sent.'),
        status: z.enum(EVENT_STATUSES).describe('Outcome of the call or span.'),
        error_code: z.string().nullable().describe('Error code, as it was sent; null without one.'),
        timestamp: z.string().describe('Time of the event, ISO 8601 UTC.'),
      }),
    )
    .describe('Newest failed calls.'),
  ...leftOutShape,
});
export type OverviewReply = z.infer<typeof overviewReplySchema>;

/** Reply of `GET /v1/costs`. USD; tokens are counts. */
export const costsReplySchema = z.object({
  byModel: z
    .array(
      z.object({
        model: z.string().describe('Model name as it was sent.'),
        total_cost: z.number().describe('Cost in USD, without calls whose price is unknown.'),
        calls: z.number().describe('Number of calls.'),
        avg_cost: z
          .number()
          .nullable()
          .describe('Mean cost of a priced call in USD; null if no call has a price.'),
        unpriced: z.number().describe('Calls without a known price; their cost is in no sum.'),
        input_tokens: z.number().describe('Input tokens, cached ones included.'),
        output_tokens: z.number().describe('Output tokens, reasoning included.'),
      }),
    )
    .describe('Cost by model, highest first; at most 1,000 models, and the calls without one.'),
  otherModels: z
    .object({
      models: z.int().describe('Number of other models.'),
      total_cost: z.number().describe('Cost in USD, without calls whose price is unknown.'),
      calls: z.number().describe('Number of calls.'),
      unpriced: z.number().describe('Calls without a known price; their cost is in no sum.'),
      input_tokens: z.number().describe('Input tokens, cached ones included.'),
      output_tokens: z.number().describe('Output tokens, reasoning included.'),
    })
    .optional()
    .describe('All other models together; absent if there are none.'),
  dailyTrend: z
    .array(
      z.object({
        date: z.string().describe('Day in UTC, `YYYY-MM-DD`.'),
        cost: z.number().describe('Cost in USD.'),
      }),
    )
    .describe('Cost by day, oldest first.'),
  mtdTotal: z.number().describe('Cost of the current month so far, in USD.'),
  forecast30d: z
    .number()
    .describe('Forecast for the next 30 days, in USD; 0 before the first full day with events.'),
  forecastDays: z
    .int()
    .describe('Full days that the forecasts go by: the last 30, fewer for a younger project, or none.'),
  monthEnd: z
    .object({
      total: z
        .number()
        .describe('Cost of the month: what was spent, and the forecast of the days left, in USD.'),
      days: z
        .array(
          z.object({
            date: z.string().describe('Day in UTC, `YYYY-MM-DD`.'),
            cost: z.number().describe('Cost in USD.'),
          }),
        )
        .describe('Forecast of the days left, today first: of today what it will still cost.'),
    })
    .nullable()
    .describe('Forecast for the end of the current month; null before the first full day with events.'),
  cacheRate: z.number().describe('Fraction of input tokens that were read from a prompt cache, 0 to 1.'),
  total: z.number().describe('Cost of the window in USD, without calls whose price is unknown.'),
  previousTotal: z.number().describe('Cost of the window of equal length just before, in USD.'),
  calls: z.number().describe('Number of calls.'),
  unpriced: z.number().describe('Calls of the window without a known price; no cost includes them.'),
  unpricedTokens: z.number().describe('Tokens of the calls without a known price.'),
  mtdUnpriced: z.number().describe('Calls of the current month without a known price.'),
  unpricedModels: z
    .array(
      z.object({
        provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
        model: z.string().describe('Model name as it was sent.'),
        calls: z.number().describe('Number of calls.'),
        tokens: z.number().describe('Input and output tokens.'),
      }),
    )
    .describe('Models without a known price, most calls first; at most 1,000.'),
  tokens: z
    .object({
      input: z.number().describe('Input tokens.'),
      fresh: z.number().describe('Input tokens that no cache served.'),
      cacheRead: z.number().describe('Input tokens read from a prompt cache.'),
      cacheWrite: z.number().describe('Input tokens written to a prompt cache.'),
      output: z.number().describe('Output tokens, reasoning included.'),
      reasoning: z.number().describe('Reasoning tokens.'),
    })
    .describe('`input` = `fresh` + `cacheRead` + `cacheWrite`; `output` includes `reasoning`.'),
  ...leftOutShape,
});
export type CostsReply = z.infer<typeof costsReplySchema>;

const errorTotals = {
  totalErrors: z.number().describe('Calls that failed.'),
  totalCalls: z.number().describe('Number of calls.'),
  errorRate: z.number().describe('Fraction of calls that failed, 0 to 1; 0 without calls.'),
};

/** Reply of `GET /v1/errors`: calls that ended in error, timeout or rate_limited. */
export const errorsReplySchema = z.object({
  errorGroups: z
    .array(
      z.object({
        error_code: z.string().describe('Error code of the calls, or their status if they have no code.'),
        count: z.number().describe('Number of calls.'),
        trend: z
          .enum(['increasing', 'stable', 'decreasing'])
          .describe(
            'Failures per call in the last third of the window against the first: more than 20 % and 3 failures apart. Without failures in the last sixth a group is not increasing.',
          ),
        top_model: z.string().describe('Model with most of these failures; `unknown` if none was named.'),
      }),
    )
    .describe('Groups of failed calls, largest first; at most 1,000.'),
  otherGroups: z
    .object({
      groups: z
        .int()
        .describe('Number of other groups; beyond 2,000 groups, one of several statuses counts for each.'),
      count: z.number().describe('Number of calls.'),
    })
    .optional()
    .describe('All other groups together; absent if there are none.'),
  rateLimitHeatmap: z
    .array(
      z.object({
        hour: z.string().describe('Start of the step, ISO 8601 UTC.'),
        rate_limited_count: z.number().describe('Calls that met a rate limit.'),
      }),
    )
    .describe('Calls that met a rate limit, by hour, oldest first.'),
  ...errorTotals,
  previous: z
    .object({
      ...errorTotals,
      errorGroups: z
        .int()
        .describe('Number of groups; beyond 2,000, one of several statuses counts for each.'),
    })
    .describe('The same figures of the window of equal length just before.'),
  ...leftOutShape,
});
export type ErrorsReply = z.infer<typeof errorsReplySchema>;

const bucket = z.enum(['1m', '5m', 'hour', 'day']).describe('Length of a step.');

/** What the calls of a window can be filtered by, most frequent first. */
const facet = z.array(
  z.object({
    value: z.string().describe('Value of the dimension.'),
    calls: z.number().describe('Number of calls.'),
  }),
);
/** Reply of `GET /v1/facets`. */
export const facetsReplySchema = z.object({
  environments: facet.describe('Environments of the window.'),
  models: facet.describe('Models of the window.'),
  providers: facet.describe('Providers of the window.'),
});
export type Facets = z.infer<typeof facetsReplySchema>;

/** What costs can be split by, besides keys, tags and days. */
export const COST_DIMENSIONS = [
  'model',
  'provider',
  'environment',
  'userId',
  'release',
  'agent',
  'agentVersion',
  'tool',
  'promptName',
  'promptVersion',
] as const;
const BREAKDOWN_NAMES = [...COST_DIMENSIONS, 'key', 'day'] as const;

/** What `by` may say: a dimension, `key` (the project key) or `tag:NAME`, the values of a tag. */
export const breakdownBySchema = z.union([
  z.enum(BREAKDOWN_NAMES),
  z.string().regex(/^tag:.{1,200}$/s, `must be ${BREAKDOWN_NAMES.join(', ')} or tag:NAME`),
]);

/** Reply of `GET /v1/costs/tags`: names of the tags of a window's days, most frequent first. */
export const costTagsSchema = z.object({
  tags: z
    .array(
      z.object({
        name: z.string().describe('Name of the tag.'),
        calls: z.number().describe('Number of calls.'),
        count: z.int().describe('Number of different values.'),
        values: z.array(z.string()).describe('Most frequent values, at most 100.'),
      }),
    )
    .describe('Tags, most used first.'),
});
export type CostTags = z.infer<typeof costTagsSchema>;

/** Reply of `GET /v1/costs/breakdown`: dearest first. USD and tokens. */
export const costBreakdownSchema = z.object({
  by: z.string().describe('Dimension that splits the figures.'),
  bucket,
  times: z.array(z.string()).describe('Start of each step, ISO 8601 UTC.'),
  groups: z
    .array(
      z.object({
        value: z.string().describe('Value of the dimension.'),
        name: z.string().optional().describe('Name.'),
        none: z.literal(true).optional().describe('Present on the group of calls without a value.'),
        others: z.int().nullable().optional().describe('Present on the group that sums up all others.'),
        cost: z.number().describe('Cost in USD.'),
        calls: z.number().describe('Number of calls.'),
        unpriced: z.number().describe('Calls without a known price; their cost is in no sum.'),
        inputTokens: z.number().describe('Input tokens, cached ones included.'),
        outputTokens: z.number().describe('Output tokens, reasoning included.'),
        cacheRate: z
          .number()
          .describe('Fraction of input tokens that were read from a prompt cache, 0 to 1.'),
        costs: z.array(z.number()).describe('Cost in USD in each step.'),
      }),
    )
    .describe('Groups, largest first.'),
  ...leftOutShape,
});
export type CostBreakdown = z.infer<typeof costBreakdownSchema>;

/** Reply of `GET /v1/errors/timeline`: counts in each bucket, in the order of `times`. */
export const errorsTimelineSchema = z.object({
  bucket,
  times: z.array(z.string()).describe('Start of each step, ISO 8601 UTC.'),
  calls: z.array(z.number()).describe('Number of calls in each step.'),
  groups: z
    .array(
      z.object({
        error_code: z.string().describe('Error code of the calls, or their status if they have no code.'),
        counts: z.array(z.number()).describe('Number in each step.'),
      }),
    )
    .describe('Groups, largest first; at most 500.'),
  others: z
    .object({
      groups: z.int().describe('Number of other groups; one of several statuses counts for each.'),
      counts: z.array(z.number()).describe('Number in each step.'),
    })
    .optional()
    .describe('All other groups together; absent if there are none.'),
});
export type ErrorsTimeline = z.infer<typeof errorsTimelineSchema>;

export const overviewEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/projects/:id/overview',
  auth: 'project',
  summary: 'Key figures, timeline, top models and recent errors of a project',
  params: z.object({ id: z.string().describe('Id.') }),
  ignoresUnknown: true,
  query: metricsFilterSchema,
  reply: overviewReplySchema,
});

export const costsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/costs',
  auth: 'project',
  summary: 'Get costs by model and day, with a forecast',
  ignoresUnknown: true,
  query: metricsQuerySchema,
  reply: costsReplySchema,
});

export const errorsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/errors',
  auth: 'project',
  summary: 'Get errors by code with their trend, and when rate limits were hit',
  ignoresUnknown: true,
  query: metricsQuerySchema,
  reply: errorsReplySchema,
});

export const facetsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/facets',
  auth: 'project',
  summary: 'Environments, models and providers of the calls of a window',
  query: metricsQuerySchema,
  reply: facetsReplySchema,
});

export const costBreakdownEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/costs/breakdown',
  auth: 'project',
  summary: 'Get costs over time by model, provider, environment, end user, release, agent, API key or tag',
  query: z.intersection(
    metricsQuerySchema,
    z.object({ by: breakdownBySchema.default('model').describe('Dimension that splits the figures.') }),
  ),
  reply: costBreakdownSchema,
});

export const costTagsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/costs/tags',
  auth: 'project',
  summary: 'List the tags by which costs of a window can be split',
  query: metricsQuerySchema,
  reply: costTagsSchema,
});

export const errorsTimelineEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/errors/timeline',
  auth: 'project',
  summary: 'Get failed calls over time, by error group',
  query: metricsQuerySchema,
  reply: errorsTimelineSchema,
});
