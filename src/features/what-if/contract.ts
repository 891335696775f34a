import { z } from 'zod';
import { instantParam, textParam } from '../../core/events/contract.ts';
import { countedWholeField } from '../../core/events/query/contract.ts';
import { defineEndpoint, projectIdParam } from '../../core/tenancy/contract.ts';

/** A fraction from 0 to 1. */
const fraction = z.coerce.number().min(0).max(1);

/** What is to be otherwise. */
export const whatIfQuerySchema = z
  .object({
    projectId: projectIdParam,
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(366)
      .default(30)
      .describe('How many whole days to compare, with what has passed of today, 1 to 366. Default: 30.'),
    start: instantParam.describe('Start of the window instead of `days`, inclusive: ISO 8601 in UTC.'),
    end: instantParam.describe('End of the window, inclusive: ISO 8601 in UTC.'),
    environment: textParam(200).describe('Only calls of this environment.'),
    model: z.string().min(1).max(300).optional().meta({
      description: 'Model to use instead: `provider/model`, or a model of the same provider.',
      example: 'openai/gpt-4o-mini',
    }),
    from: z.string().min(1).max(300).optional().describe('Only calls of this model.'),
    caching: fraction
      .optional()
      .describe('Fraction of the uncached input that a prompt cache would serve, 0 to 1.'),
    batch: fraction.optional().describe('Fraction of the calls that could wait for a batch, 0 to 1.'),
    sample: fraction.optional().describe('Fraction of the calls that would still be made, 0 to 1.'),
  })
  .refine(
    ({ model, caching, batch, sample }) => [model, caching, batch, sample].some((one) => one !== undefined),
    {
      path: ['model'],
      message: 'give at least one of model, caching, batch and sample',
    },
  )
  .refine(({ start, end }) => start === undefined || end === undefined || start <= end, {
    path: ['start'],
    message: 'must not be after end',
  });
export type WhatIfQuery = z.output<typeof whatIfQuerySchema>;

const figures = z.object({
  calls: z.number().describe('Number of calls.'),
  actual: z.number().nullable().describe('Recorded cost in USD; null without a known price.'),
  expected: z.number().nullable().describe('Expected cost in USD; null without a known price.'),
  difference: z.number().nullable().describe('Expected less recorded cost in USD; null if one is unknown.'),
});

/** Reply of `GET /v1/costs/what-if`. */
export const whatIfSchema = z.object({
  from: z.string().describe('Start of the window, ISO 8601 UTC.'),
  to: z.string().describe('End of the window, ISO 8601 UTC.'),
  models: z
    .array(
      figures.extend({
        provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
        model: z
          .string()
          .describe('Model to use instead: `provider/model`, or a model of the same provider.'),
        as: z.string().describe('Model by whose price the calls are priced.'),
        unpriced: z.number().describe('Calls without a known price; their cost is in no sum.'),
        note: z
          .string()
          .nullable()
          .describe('Why there is no expectation, or what does not apply; null otherwise.'),
      }),
    )
    .describe('Figures by model.'),
  total: figures
    .extend({
      leftOut: z.number().describe('Calls of models whose cost is unknown before or after.'),
      unpriced: z.number().describe('Calls without a known price; their cost is in no sum.'),
    })
    .describe('Sums of the models for which both costs are known.'),
  assumptions: z.array(z.string()).describe('What the comparison assumes.'),
  countedWhole: countedWholeField,
});
export type WhatIf = z.infer<typeof whatIfSchema>;

export const whatIfEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/costs/what-if',
  auth: 'project',
  summary: 'Estimate what past calls would cost with another model, caching, batches or sampling',
  query: whatIfQuerySchema,
  reply: whatIfSchema,
});
