import { z } from 'zod';
import { instantParam, textParam } from '../../core/events/contract.ts';
import { defineEndpoint } from '../../core/tenancy/contract.ts';

/** A fraction from 0 to 1. */
const fraction = z.coerce.number().min(0).max(1);

/** What is to be otherwise. */
export const whatIfQuerySchema = z
  .object({
    projectId: z.string(),
    /** The last so many days, today included. */
    days: z.coerce.number().int().min(1).max(366).default(30),
    /** Instead of `days`: events at or after, and at or before. */
    start: instantParam,
    end: instantParam,
    environment: textParam(200),
    /** Another model for the calls: `provider/model`, or a model of the same provider. */
    model: z.string().min(1).max(300).optional(),
    /** Only the calls of this model. */
    from: z.string().min(1).max(300).optional(),
    /** The part of the input that is not cached now which a prompt cache would serve. */
    caching: fraction.optional(),
    /** The part of the calls that could wait for a batch. */
    batch: fraction.optional(),
    /** The part of the calls that would still be made. */
    sample: fraction.optional(),
  })
  .refine(
    ({ model, caching, batch, sample }) => [model, caching, batch, sample].some((one) => one !== undefined),
    {
      path: ['model'],
      message: 'say what is to be otherwise: model, caching, batch or sample',
    },
  )
  .refine(({ start, end }) => start === undefined || end === undefined || start <= end, {
    path: ['start'],
    message: 'must not be after end',
  });
export type WhatIfQuery = z.output<typeof whatIfQuerySchema>;

const figures = z.object({
  calls: z.number(),
  /** As it was booked, and as it would be; USD. Null: without a known price. */
  actual: z.number().nullable(),
  expected: z.number().nullable(),
  /** Expected less actual; null where one of them is not known. */
  difference: z.number().nullable(),
});

/** Reply of `GET /v1/costs/what-if`. */
export const whatIfSchema = z.object({
  from: z.string(),
  to: z.string(),
  models: z.array(
    figures.extend({
      provider: z.string().nullable(),
      model: z.string(),
      /** What its calls would be priced as. */
      as: z.string(),
      unpriced: z.number(),
      /** Why there is no expectation, or what of the wish does not apply here. */
      note: z.string().nullable(),
    }),
  ),
  /** Of the models of which both are known; `leftOut` says how many calls are of others. */
  total: figures.extend({ leftOut: z.number(), unpriced: z.number() }),
  assumptions: z.array(z.string()),
});
export type WhatIf = z.infer<typeof whatIfSchema>;

export const whatIfEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/costs/what-if',
  auth: 'project',
  summary: 'What the last days would have cost with another model, caching, batches or sampling',
  query: whatIfQuerySchema,
  reply: whatIfSchema,
});
