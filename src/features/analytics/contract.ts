import { z } from 'zod';
import { EVENT_STATUSES, metricsFilterSchema, metricsQuerySchema } from '../../core/events/contract.ts';
import { defineEndpoint } from '../../core/tenancy/contract.ts';

/** The same figures for the window of equal length just before. */
const periodSchema = z.object({
  totalRequests: z.number(),
  totalCost: z.number(),
  avgLatency: z.number(),
  errorRate: z.number(),
  unpriced: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Fraction 0 to 1 of the input tokens. */
  cacheRate: z.number(),
});

/** Reply of `GET /v1/projects/:id/overview` (interface.md). Costs are USD, latencies milliseconds. */
export const overviewReplySchema = z.object({
  /** `unpriced`: calls whose model has no known price; they are in no cost. */
  kpis: periodSchema.extend({ errors: z.number() }),
  previous: periodSchema,
  bucket: z.enum(['hour', 'day']),
  timeline: z.array(
    z.object({
      hour: z.string(),
      requests: z.number(),
      cost: z.number(),
      errors: z.number(),
      avgLatency: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      cacheRate: z.number(),
    }),
  ),
  topModels: z.array(
    z.object({ model: z.string(), cost: z.number(), requests: z.number(), unpriced: z.number() }),
  ),
  recentErrors: z.array(
    z.object({
      event_id: z.string(),
      model: z.string().nullable(),
      status: z.enum(EVENT_STATUSES),
      error_code: z.string().nullable(),
      timestamp: z.string(),
    }),
  ),
});
export type OverviewReply = z.infer<typeof overviewReplySchema>;

/** Reply of `GET /v1/costs` (interface.md). USD; tokens are counts. */
export const costsReplySchema = z.object({
  byModel: z.array(
    z.object({
      model: z.string(),
      total_cost: z.number(),
      calls: z.number(),
      avg_cost: z.number(),
      unpriced: z.number(),
      input_tokens: z.number(),
      output_tokens: z.number(),
    }),
  ),
  dailyTrend: z.array(z.object({ date: z.string(), cost: z.number() })),
  /** This calendar month in UTC, and the next 30 days: whatever the window. */
  mtdTotal: z.number(),
  forecast30d: z.number(),
  /**
   * The month at its end: `total` is `mtdTotal` and what the `days` will still cost, of which the first is the
   * rest of today. By the line of `forecast30d`; null on a project's first day.
   */
  monthEnd: z
    .object({ total: z.number(), days: z.array(z.object({ date: z.string(), cost: z.number() })) })
    .nullable(),
  cacheRate: z.number(),
  /** Of the window, and of the one of equal length just before. */
  total: z.number(),
  previousTotal: z.number(),
  calls: z.number(),
  /** Calls of the window whose model has no known price: they are in no cost. */
  unpriced: z.number(),
  /** Input and output tokens of those calls. */
  unpricedTokens: z.number(),
  mtdUnpriced: z.number(),
  /** Only calls without a price: how many, and their input and output tokens. */
  unpricedModels: z.array(
    z.object({ provider: z.string().nullable(), model: z.string(), calls: z.number(), tokens: z.number() }),
  ),
  /** `input` = `fresh` + `cacheRead` + `cacheWrite`; `output` includes `reasoning`. */
  tokens: z.object({
    input: z.number(),
    fresh: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    output: z.number(),
    reasoning: z.number(),
  }),
});
export type CostsReply = z.infer<typeof costsReplySchema>;

/** Reply of `GET /v1/performance` (interface.md). Milliseconds; 0 where no call said. */
export const performanceReplySchema = z.object({
  latencyPercentiles: z.object({ p50: z.number(), p90: z.number(), p95: z.number(), p99: z.number() }),
  avgLatency: z.number(),
  avgTtft: z.number(),
  tokensPerSec: z.number(),
  timeoutRate: z.number(),
  calls: z.number(),
  /** Calls that stated a latency: what the percentiles are of. */
  measuredCalls: z.number(),
});
export type PerformanceReply = z.infer<typeof performanceReplySchema>;

/** Reply of `GET /v1/errors` (interface.md): calls that ended in error, timeout or rate_limited. */
export const errorsReplySchema = z.object({
  errorGroups: z.array(
    z.object({
      /** The call's error code, else its status. */
      error_code: z.string(),
      count: z.number(),
      trend: z.enum(['increasing', 'stable', 'decreasing']),
      top_model: z.string(),
    }),
  ),
  /** Hours with at least one. */
  rateLimitHeatmap: z.array(z.object({ hour: z.string(), rate_limited_count: z.number() })),
  totalErrors: z.number(),
  totalCalls: z.number(),
  errorRate: z.number(),
});
export type ErrorsReply = z.infer<typeof errorsReplySchema>;

const bucket = z.enum(['hour', 'day']);

/** What the calls of a window can be filtered by, most frequent first. */
const facet = z.array(z.object({ value: z.string(), calls: z.number() }));
/** Reply of `GET /v1/facets`. */
export const facetsReplySchema = z.object({ environments: facet, models: facet, providers: facet });
export type Facets = z.infer<typeof facetsReplySchema>;

/** What costs can be split by. */
export const COST_DIMENSIONS = ['model', 'provider', 'environment'] as const;

/** What `by` may say: a dimension, `key` (the project key) or `tag:NAME`, the values of a tag. */
export const breakdownBySchema = z.union([
  z.enum([...COST_DIMENSIONS, 'userId', 'key', 'day']),
  z.string().regex(/^tag:.{1,200}$/s, 'must be model, provider, environment, userId, key, day or tag:NAME'),
]);

/** Reply of `GET /v1/costs/tags`: names of the tags of a window's days, most frequent first. */
export const costTagsSchema = z.object({
  tags: z.array(
    z.object({
      name: z.string(),
      calls: z.number(),
      /** How many values there are, and the most frequent of them. */
      count: z.int(),
      values: z.array(z.string()),
    }),
  ),
});
export type CostTags = z.infer<typeof costTagsSchema>;

/** Reply of `GET /v1/costs/breakdown`: dearest first. USD and tokens. */
export const costBreakdownSchema = z.object({
  by: z.string(),
  bucket,
  /** Starts of the buckets, ISO 8601. */
  times: z.array(z.string()),
  groups: z.array(
    z.object({
      value: z.string(),
      /** What a project key is called. */
      name: z.string().optional(),
      /** Of calls that have none of it: nobody's, without a key, without the tag. */
      none: z.literal(true).optional(),
      /** Of values that are not told one by one: how many, where that is known. */
      others: z.int().nullable().optional(),
      cost: z.number(),
      calls: z.number(),
      unpriced: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      cacheRate: z.number(),
      /** Cost in each bucket, in the order of `times`. */
      costs: z.array(z.number()),
    }),
  ),
});
export type CostBreakdown = z.infer<typeof costBreakdownSchema>;

/** Milliseconds; 0 where no call said. */
const speed = {
  calls: z.number(),
  avgLatency: z.number(),
  p50: z.number(),
  p90: z.number(),
  p95: z.number(),
  p99: z.number(),
  avgTtft: z.number(),
  tokensPerSec: z.number(),
};

/** Reply of `GET /v1/performance/timeline`. */
export const performanceTimelineSchema = z.object({
  bucket,
  timeline: z.array(z.object({ time: z.string(), ...speed })),
});
export type PerformanceTimeline = z.infer<typeof performanceTimelineSchema>;

/** Reply of `GET /v1/performance/models`: most called first. */
export const performanceModelsSchema = z.object({
  models: z.array(z.object({ model: z.string(), ...speed, timeoutRate: z.number(), errorRate: z.number() })),
});
export type PerformanceModels = z.infer<typeof performanceModelsSchema>;

/** Reply of `GET /v1/errors/timeline`: counts in each bucket, in the order of `times`. */
export const errorsTimelineSchema = z.object({
  bucket,
  times: z.array(z.string()),
  calls: z.array(z.number()),
  /** As `GET /v1/errors` names them, most frequent first. */
  groups: z.array(z.object({ error_code: z.string(), counts: z.array(z.number()) })),
});
export type ErrorsTimeline = z.infer<typeof errorsTimelineSchema>;

export const overviewEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/projects/:id/overview',
  auth: 'project',
  summary: 'Key figures, timeline, top models and recent errors of a project',
  params: z.object({ id: z.string() }),
  query: metricsFilterSchema,
  reply: overviewReplySchema,
});

export const costsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/costs',
  auth: 'project',
  summary: 'What the calls cost, by model and day, with a forecast',
  query: metricsQuerySchema,
  reply: costsReplySchema,
});

export const performanceEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/performance',
  auth: 'project',
  summary: 'Latency percentiles, time to first token and speed',
  query: metricsQuerySchema,
  reply: performanceReplySchema,
});

export const errorsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/errors',
  auth: 'project',
  summary: 'Errors by code with their trend, and when rate limits were hit',
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
  summary: 'What the calls cost by model, provider, environment, user, project key or tag, over time',
  query: z.intersection(metricsQuerySchema, z.object({ by: breakdownBySchema.default('model') })),
  reply: costBreakdownSchema,
});

export const costTagsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/costs/tags',
  auth: 'project',
  summary: 'Tags of the calls of a window, by which costs can be told apart',
  query: metricsQuerySchema,
  reply: costTagsSchema,
});

export const performanceTimelineEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/performance/timeline',
  auth: 'project',
  summary: 'Latency percentiles, time to first token and speed over time',
  query: metricsQuerySchema,
  reply: performanceTimelineSchema,
});

export const performanceModelsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/performance/models',
  auth: 'project',
  summary: 'Latency percentiles, time to first token and speed by model',
  query: metricsQuerySchema,
  reply: performanceModelsSchema,
});

export const errorsTimelineEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/errors/timeline',
  auth: 'project',
  summary: 'When calls failed, by error group',
  query: metricsQuerySchema,
  reply: errorsTimelineSchema,
});
