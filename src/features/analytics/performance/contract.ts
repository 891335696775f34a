import { z } from 'zod';
import { metricsQuerySchema } from '../../../core/events/contract.ts';
import { defineEndpoint } from '../../../core/tenancy/contract.ts';
import { leftOutShape } from '../contract.ts';

const performanceSchema = z.object({
  latencyPercentiles: z
    .object({
      p50: z.number().describe('Median latency in milliseconds.'),
      p90: z.number().describe('90th percentile of the latency in milliseconds.'),
      p95: z.number().describe('95th percentile of the latency in milliseconds.'),
      p99: z.number().describe('99th percentile of the latency in milliseconds.'),
    })
    .describe('Latency percentiles of the calls that have a latency; 0 if `measuredCalls` is 0.'),
  avgLatency: z.number().describe('Mean latency in milliseconds; 0 if `measuredCalls` is 0.'),
  avgTtft: z
    .number()
    .describe('Mean time to the first token in milliseconds over streamed calls; 0 if no call has one.'),
  tokensPerSec: z.number().describe('Output tokens per second of generation; 0 if no call has a latency.'),
  timeoutRate: z.number().describe('Fraction of calls that timed out, 0 to 1; 0 without calls.'),
  calls: z.number().describe('Number of calls.'),
  measuredCalls: z.number().describe('Calls that have a latency.'),
});

/** Reply of `GET /v1/performance`. */
export const performanceReplySchema = performanceSchema.extend({
  previous: performanceSchema.describe('The same figures of the window of equal length just before.'),
  ...leftOutShape,
});
export type PerformanceReply = z.infer<typeof performanceReplySchema>;

const bucket = z.enum(['1m', '5m', 'hour', 'day']).describe('Length of a step.');

/** Milliseconds; 0 where no call reported one. */
const speed = {
  calls: z.number().describe('Number of calls.'),
  avgLatency: z.number().describe('Mean latency in milliseconds.'),
  p50: z.number().describe('Median latency in milliseconds; 0 if no call has a latency.'),
  p90: z.number().describe('90th percentile of the latency in milliseconds; 0 likewise.'),
  p95: z.number().describe('95th percentile of the latency in milliseconds; 0 likewise.'),
  p99: z.number().describe('99th percentile of the latency in milliseconds; 0 likewise.'),
  avgTtft: z.number().describe('Mean time to the first token in milliseconds; 0 if no call has one.'),
  tokensPerSec: z.number().describe('Output tokens per second of generation; 0 if no call has a latency.'),
};

/** Reply of `GET /v1/performance/timeline`. */
export const performanceTimelineSchema = z.object({
  bucket,
  timeline: z
    .array(z.object({ time: z.string().describe('Start of the step, ISO 8601 UTC.'), ...speed }))
    .describe('Figures over time, oldest first.'),
});
export type PerformanceTimeline = z.infer<typeof performanceTimelineSchema>;

/** Reply of `GET /v1/performance/models`: most called first. */
export const performanceModelsSchema = z.object({
  models: z
    .array(
      z.object({
        model: z.string().describe('Model name as it was sent.'),
        ...speed,
        timeoutRate: z.number().describe('Fraction of calls that timed out, 0 to 1.'),
        errorRate: z.number().describe('Fraction of calls that failed, 0 to 1.'),
      }),
    )
    .describe('Figures by model; at most 1,000 models.'),
  otherModels: z.int().optional().describe('Number of other models; absent if there are none.'),
});
export type PerformanceModels = z.infer<typeof performanceModelsSchema>;

export const performanceEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/performance',
  auth: 'project',
  summary: 'Latency percentiles, time to first token and speed',
  ignoresUnknown: true,
  query: metricsQuerySchema,
  reply: performanceReplySchema,
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
