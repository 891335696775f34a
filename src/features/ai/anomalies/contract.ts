import { z } from 'zod';
import { instantParam } from '../../../core/events/contract.ts';
import { deletedBeforeField, UNITS } from '../../../core/events/query/contract.ts';
import { ROOT_CAUSE_MEASURES, rootCauseSchema } from '../../../core/root-cause/contract.ts';
import { defineEndpoint, projectIdParam, projectQuery } from '../../../core/tenancy/contract.ts';

/** What is looked at, and by what. */
export const ANOMALY_MEASURES = ['cost', 'requests', 'errors', 'latencyP95'] as const;
export type AnomalyMeasure = (typeof ANOMALY_MEASURES)[number];
export const ANOMALY_DIMENSIONS = ['all', 'model', 'userId', 'agent'] as const;
export type AnomalyDimension = (typeof ANOMALY_DIMENSIONS)[number];

const anomalySchema = z
  .object({
    id: z.string().describe('What it is, for `POST /v1/ai/explain`.'),
    measure: z.enum(ANOMALY_MEASURES).describe('The measure.'),
    unit: z.enum(UNITS).describe('Unit of its values.'),
    dimension: z.enum(ANOMALY_DIMENSIONS).describe('What its calls have in common; `all` for all calls.'),
    value: z
      .string()
      .nullable()
      .describe('Value of the dimension; null for calls without one, and for all calls.'),
    filter: z.string().describe('Its calls, in the filter language; empty for all calls.'),
    severity: z.enum(['warning', 'critical']).describe('As an alert of the same sensitivity says.'),
    start: z.string().describe('Start of its first hour, ISO 8601 UTC.'),
    end: z.string().describe('End of its last hour, ISO 8601 UTC, exclusive.'),
    peakAt: z.string().describe('Start of the hour that is furthest from the usual.'),
    peak: z.number().describe('The measure in that hour.'),
    usual: z.number().describe('The usual value of that hour of the week: a median.'),
    threshold: z.number().describe('The bound that it crossed.'),
    deviations: z
      .number()
      .describe('How many standard deviations it is from what its number of calls makes likely.'),
    calls: z.number().describe('Calls in that hour.'),
  })
  .meta({ id: 'Anomaly' });
export type Anomaly = z.infer<typeof anomalySchema>;

export const anomaliesReplySchema = z.object({
  start: z.string().describe('Start of the window, ISO 8601 UTC.'),
  end: z.string().describe('End of the window, ISO 8601 UTC, exclusive.'),
  anomalies: z.array(anomalySchema).describe('Anomalies, the furthest from the usual first; at most 100.'),
  learning: z
    .boolean()
    .describe('Whether there is too little history for all of it: two weeks of the same hour are the least.'),
  skipped: z
    .array(z.enum(ANOMALY_DIMENSIONS))
    .describe('Dimensions that would have needed too many calls to be read; ask for a shorter window.'),
  deletedBefore: deletedBeforeField,
});
export type AnomaliesReply = z.infer<typeof anomaliesReplySchema>;

export const anomaliesEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/ai/anomalies',
  auth: 'project',
  limit: 'ai',
  scopes: ['read', 'ai:use'],
  summary: 'List unusual hours of cost, calls, errors and latency',
  description:
    'Compares each hour of the window with the same hour of the week, and those beside it, in the four weeks before, by the median and the median absolute deviation: the baseline of alerts with an anomaly condition. Looks at all calls and at the ten models, users and agents with most calls. An hour must also be surprising for its number of calls, and differ by at least 0.50 USD, 20 calls, 5 errors or 100 ms. Hours in a row are one anomaly. Needs no model. Counts against the limit of 20 requests per hour and organization.',
  query: z
    .object({
      projectId: projectIdParam,
      start: instantParam.describe('Start, ISO 8601 UTC. Default: seven days before the end.'),
      end: instantParam.describe('End, ISO 8601 UTC. Default: now.'),
      sensitivity: z
        .enum(['low', 'medium', 'high'])
        .default('medium')
        .describe('How far from the usual an hour must be. Default: `medium`.'),
    })
    .refine(({ start, end }) => start === undefined || end === undefined || start < end, {
      path: ['start'],
      message: 'must be before end',
    }),
  reply: anomaliesReplySchema,
});

export const explainEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/ai/explain',
  auth: 'project',
  limit: 'ai',
  scopes: ['read', 'ai:use'],
  summary: 'Explain an anomaly, or the change of a measure, by contribution analysis',
  description:
    'Compares the calls of the anomaly with those of the same hours a week earlier; without calls then, with the time of equal length just before. The reply is that of `GET /v1/root-cause`; `summary` says it in words. Needs no model. Counts against the limit of 20 requests per hour and organization.',
  query: projectQuery,
  body: z
    .strictObject({
      anomalyId: z.string().max(2_000).optional().describe('`id` of an anomaly.'),
      measure: z.enum(ROOT_CAUSE_MEASURES).optional().describe('The measure, without `anomalyId`.'),
      start: instantParam.describe('Start of the window, ISO 8601 UTC, without `anomalyId`.'),
      end: instantParam.describe('End of the window, ISO 8601 UTC, exclusive, without `anomalyId`.'),
    })
    .refine(
      ({ anomalyId, measure, start, end }) =>
        anomalyId === undefined
          ? measure !== undefined && start !== undefined && end !== undefined && start < end
          : measure === undefined && start === undefined && end === undefined,
      { path: ['anomalyId'], message: 'give either anomalyId, or measure, start and end' },
    ),
  example: { measure: 'cost', start: '2026-06-01T00:00:00.000Z', end: '2026-06-02T00:00:00.000Z' },
  reply: rootCauseSchema,
});
