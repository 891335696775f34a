import { z } from 'zod';
import { isScoreMeasure } from '../../lib/scores/score-measures.ts';
import { costFilterSchema, instantParam, metricsQuerySchema } from '../events/contract.ts';
import { deletedBeforeField } from '../events/query/contract.ts';
import { defineEndpoint } from '../tenancy/contract.ts';

/** Measures whose change can be explained. */
export const ROOT_CAUSE_MEASURES = [
  'cost',
  'requests',
  'errors',
  'errorRate',
  'timeouts',
  'timeoutRate',
  'rateLimited',
  'unpriced',
  'inputTokens',
  'outputTokens',
  'cacheRate',
  'latencyAvg',
  'latencyP50',
  'latencyP90',
  'latencyP95',
  'latencyP99',
  'ttftAvg',
  'ttftP50',
  'ttftP95',
  'ttftP99',
  'tokensPerSec',
] as const;

/** A measure whose change can be explained: one of `ROOT_CAUSE_MEASURES`, or a measure of scores. */
export const rootCauseMeasure = z
  .union([
    z.enum(ROOT_CAUSE_MEASURES),
    z.templateLiteral(['score:', z.string()]),
    z.templateLiteral(['scoreCount:', z.string()]),
  ])
  .refine((name) => !name.startsWith('score') || isScoreMeasure(name), {
    error:
      'a measure of scores is score:NAME, score:NAME=CATEGORY, scoreCount:NAME or scoreCount:NAME=CATEGORY',
  });

const sideSchema = z.object({
  calls: z.number().describe('Number of calls; of scores, their number.'),
  value: z.number().nullable().describe('The measure over these calls; null if it has none.'),
});

const figures = {
  filter: z.string().describe('The calls, in the filter language; empty for all calls.'),
  contribution: z.number().describe('Part of the change, in the unit of the measure.'),
  share: z.number().nullable().describe('`contribution` divided by the change; null without a change.'),
  lift: z
    .number()
    .nullable()
    .describe(
      '`share` divided by the fraction of the window’s calls; 1 is as much as any calls. Null if there are none.',
    ),
  before: sideSchema.describe('These calls in the baseline.'),
  after: sideSchema.describe('These calls in the window.'),
  isNew: z.boolean().describe('Whether the baseline has none of these calls.'),
};

const valueSchema = z.object({
  value: z.string().nullable().describe('Value of the dimension; null for calls without one.'),
  label: z.string().describe('The value for people; an API key by its name.'),
  ...figures,
});

const dimensionSchema = z.object({
  dimension: z.string().describe('The dimension, such as `model` or `tag:team`.'),
  values: z.array(valueSchema).describe('Values with the largest effect, largest first.'),
  others: z
    .object({
      values: z.int().describe('Number of other values.'),
      contribution: z.number().describe('Their part of the change.'),
      share: z.number().nullable().describe('`contribution` divided by the change; null without a change.'),
    })
    .describe('The other values together, so that all contributions add up to the change.'),
});
export type ContributionDimension = z.infer<typeof dimensionSchema>;

const causeSchema = z.object({
  values: z
    .array(
      z.object({
        dimension: z.string().describe('The dimension.'),
        value: z.string().describe('Its value.'),
      }),
    )
    .describe('What the calls have in common: one or two values; none for all calls.'),
  label: z.string().describe('The same in words, such as `model gpt-4o`.'),
  reason: z.string().describe('What changed for these calls, in words.'),
  effects: z
    .object({
      own: z.number().describe('Because their value per call changed.'),
      volume: z.number().describe('Because their number or, for ratios, their share of all calls changed.'),
    })
    .describe('The change of all these calls in two parts.'),
  ...figures,
});

const exampleSchema = z.object({
  eventId: z.string().describe('Id of the call.'),
  traceId: z.string().nullable().describe('Id of its trace.'),
  timestamp: z.string().describe('When it started, ISO 8601 UTC.'),
  model: z.string().nullable().describe('Model.'),
  status: z.string().describe('Outcome.'),
  errorCode: z.string().nullable().describe('Error code.'),
  latencyMs: z.number().nullable().describe('Latency in milliseconds.'),
  costUsd: z.number().nullable().describe('Cost in USD.'),
});

const changeSchema = z.object({
  timestamp: z.string().describe('When, ISO 8601 UTC.'),
  action: z.string().describe('Action of the audit log, such as `price.updated`.'),
  by: z.string().describe('Who: an email address, or the name of a job.'),
  subject: z.string().describe('What was changed, such as `price gpt-4o`.'),
});

const deploymentSchema = z.object({
  release: z.string().describe('Release.'),
  environment: z.string().describe('Environment.'),
  at: z.string().describe('When it was deployed, ISO 8601 UTC.'),
  title: z.string().nullable().describe('What changed; null if nothing was reported.'),
  url: z.string().nullable().describe('Link to the release or the CI job; null if none was reported.'),
});

const windowSchema = z.object({
  start: z.string().describe('Start, ISO 8601 UTC.'),
  end: z.string().describe('End, ISO 8601 UTC, exclusive.'),
  calls: z.number().describe('Number of calls; of scores, their number.'),
  value: z.number().nullable().describe('The measure; null if there are no calls that have it.'),
});

/** What the analysis came to. */
export const ROOT_CAUSE_STATUSES = [
  'explained',
  'spread',
  'unclear',
  'unchanged',
  'no_baseline',
  'no_calls',
] as const;

export const rootCauseSchema = z
  .object({
    measure: rootCauseMeasure.describe('The measure.'),
    unit: z
      .enum(['usd', 'ms', 'fraction', 'calls', 'tokens', 'tokens_per_second', 'score', 'scores'])
      .describe('Unit of all values and contributions.'),
    window: windowSchema.describe('The window that is explained.'),
    baseline: windowSchema.describe(
      'What it is compared with. Sums of a baseline of another length are scaled to the length of the window.',
    ),
    change: z
      .number()
      .nullable()
      .describe('Value of the window less that of the baseline; null without one.'),
    status: z
      .enum(ROOT_CAUSE_STATUSES)
      .describe(
        '`explained`: some calls stand out; `spread`: all calls changed alike; `unclear`: no calls stand out; `unchanged`; `no_baseline`: nothing to compare with; `no_calls`: the window has none.',
      ),
    summary: z.string().describe('The result in a sentence.'),
    causes: z.array(causeSchema).describe('What explains the change, the best explanation first; at most 5.'),
    rest: z
      .object({
        contribution: z.number().describe('Part of the change that no cause has.'),
        share: z.number().nullable().describe('`contribution` divided by the change; null without a change.'),
      })
      .describe('All other calls, so that the contributions of causes add up to the change.'),
    dimensions: z.array(dimensionSchema).describe('The change by the values of each dimension.'),
    examples: z.array(exampleSchema).describe('Some calls of the first cause, newest first; at most 5.'),
    series: z
      .object({
        bucket: z.enum(['hour', 'day']).describe('Length of a step.'),
        points: z
          .array(
            z.object({
              time: z.string().describe('Start of the step, ISO 8601 UTC.'),
              value: z.number().nullable().describe('The measure in this step; null without one.'),
            }),
          )
          .describe('Steps, oldest first; none if too many calls would have to be read.'),
      })
      .describe('The measure over time, from a day before the window or the start of the baseline on.'),
    changes: z
      .array(changeSchema)
      .describe('Prices, prompts, settings and keys that people changed around the start of the window.'),
    deployments: z
      .array(deploymentSchema)
      .describe('Deployments from six hours before the window to its end, newest first; at most 20.'),
    deletedBefore: deletedBeforeField,
  })
  .meta({ id: 'RootCause' });
export type RootCause = z.infer<typeof rootCauseSchema>;

export const rootCauseEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/root-cause',
  auth: 'project',
  summary: 'Explain the change of a measure between two windows by contribution analysis',
  description:
    'Compares the calls of a window with those of a baseline in every dimension. The contributions of all values of a dimension add up to the change.',
  query: z.intersection(
    z.intersection(metricsQuerySchema, costFilterSchema),
    z.object({
      measure: rootCauseMeasure
        .meta({ example: 'cost' })
        .describe(
          'The measure whose change is explained; `score:NAME` is of scores, by what they are about.',
        ),
      baselineStart: instantParam.describe(
        'Start of the baseline, ISO 8601 UTC. Default: the window of equal length just before.',
      ),
      baselineEnd: instantParam.describe('End of the baseline, ISO 8601 UTC, inclusive.'),
    }),
  ),
  reply: rootCauseSchema,
});
