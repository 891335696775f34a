import { z } from 'zod';
import { instantParam, textParam } from '../../events/contract.ts';
import { deletedBeforeField, metricsReplySchema } from '../../events/query/contract.ts';
import { defineEndpoint, projectQuery } from '../../tenancy/contract.ts';
import { labelVersionSchema, nameParams } from '../contract.ts';

const read = { method: 'GET', auth: 'project', scopes: ['read', 'prompts:read'] } as const;
const figure = (text: string) => z.number().nullable().describe(`${text} Null if no call tells it.`);

const versionScoreSchema = z.object({
  name: z.string().describe('Name of the score.'),
  type: z.enum(['numeric', 'boolean']).describe('Type of its values.'),
  mean: z.number().describe('Mean of a number, or share of true.'),
  count: z.int().describe('Scores that it is of.'),
});
export type VersionScore = z.infer<typeof versionScoreSchema>;

const versionFiguresSchema = z.object({
  version: z
    .string()
    .nullable()
    .describe('Version as events name it in `prompt_version`; null for calls without one.'),
  calls: z.int().describe('Calls made with it.'),
  cost: figure('Cost of the calls that have a price, in USD.'),
  costPerCall: figure('Mean cost of a priced call, in USD.'),
  unpriced: z.int().describe('Calls without a known price; no cost includes them.'),
  latencyP50: figure('Median latency, in milliseconds.'),
  latencyP95: figure('95th percentile of the latency, in milliseconds.'),
  errors: z.int().describe('Calls that failed.'),
  errorRate: figure('Fraction of calls that failed.'),
  cacheRate: figure('Fraction of input tokens read from a prompt cache.'),
  scores: z
    .array(versionScoreSchema)
    .describe('Scores of its calls, numbers and booleans, by name; of the first 20 definitions.'),
  previous: z
    .string()
    .nullable()
    .describe('The version before it that has calls in the window; null for the first.'),
  series: z.array(z.number()).describe('Calls in each step.'),
});
export type VersionFigures = z.infer<typeof versionFiguresSchema>;

export const promptFiguresEndpoint = defineEndpoint({
  ...read,
  path: '/v1/prompts/:name/figures',
  summary: 'Calls, cost, latency, errors and scores of each version of a prompt',
  description:
    'The figures are those of `POST /v1/metrics/query` by `promptVersion`, for the calls whose `prompt_name` is the prompt.',
  query: projectQuery.extend({
    start: instantParam.describe(
      'Start, ISO 8601 UTC, inclusive. Default: the start of the UTC day 30 days before the end.',
    ),
    end: instantParam.describe('End, ISO 8601 UTC, inclusive. Default: now.'),
    environment: textParam(200).describe('Only calls of this environment.'),
  }),
  params: nameParams,
  reply: z
    .object({
      start: metricsReplySchema.shape.start,
      end: metricsReplySchema.shape.end,
      bucket: metricsReplySchema.shape.bucket,
      steps: metricsReplySchema.shape.steps,
      versions: z.array(versionFiguresSchema).describe('Versions with calls, newest first, at most 50.'),
      deletedBefore: deletedBeforeField,
    })
    .meta({ id: 'PromptFigures' }),
});
export type PromptFigures = z.infer<typeof promptFiguresEndpoint.reply>;

const labelChangeSchema = z.object({
  id: z.string().describe('Id of the change.'),
  label: z.string().describe('Name of the label.'),
  previous: z.array(labelVersionSchema).nullable().describe('What it named before; null if it was new.'),
  versions: z.array(labelVersionSchema).nullable().describe('What it names since; null if it was removed.'),
  changedBy: z.string().nullable().describe('Name of who changed it; null if the account is gone.'),
  changedAt: z.string().describe('When, ISO 8601 UTC.'),
});
export type LabelChange = z.infer<typeof labelChangeSchema>;

export const labelHistoryEndpoint = defineEndpoint({
  ...read,
  path: '/v1/prompts/:name/history',
  summary: 'List the changes of the labels of a prompt, newest first',
  query: projectQuery.extend({
    start: instantParam.describe('Only changes at or after this time, ISO 8601 UTC.'),
    end: instantParam.describe('Only changes until this time, ISO 8601 UTC.'),
    cursor: textParam(100).describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Most changes in a page, 1 to 200. Default: 50.'),
  }),
  params: nameParams,
  reply: z.object({
    changes: z.array(labelChangeSchema).describe('Changes, newest first.'),
    nextCursor: z
      .string()
      .nullable()
      .describe('Pass it as `cursor` for the next page; null on the last one.'),
  }),
});
