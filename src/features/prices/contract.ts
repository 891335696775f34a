import { z } from 'zod';
import { metricsQuerySchema } from '../../core/events/contract.ts';
import { priceInputSchema, priceSchema } from '../../core/pricing/contract.ts';
import { defineEndpoint, organizationQuery } from '../../core/tenancy/contract.ts';

/** Reply of `GET /v1/prices`. */
export const priceListSchema = z.object({
  /** What holds for models without a price of the organization's own. */
  catalogue: z.object({ version: z.string(), providers: z.int(), models: z.int() }),
  prices: z.array(priceSchema),
});
export type PriceList = z.infer<typeof priceListSchema>;

/** Reply of `GET /v1/prices/unpriced`: what was seen without a price, the most calls first. */
export const unpricedSchema = z.object({
  models: z.array(
    z.object({
      provider: z.string().nullable(),
      model: z.string(),
      /** Calls without a price, and all calls of the model, in the window. */
      unpriced: z.number(),
      calls: z.number(),
      /** Tokens of the calls without a price. */
      input_tokens: z.number(),
      output_tokens: z.number(),
      /** When a call without a price was first and last seen: exact, or the hour where the rows are gone. */
      firstSeen: z.string(),
      lastSeen: z.string(),
      /** Why, for the newest of them by today's prices; null where it has a price by now. */
      reason: z.string().nullable(),
    }),
  ),
  /** All calls without a price, and all calls. */
  unpriced: z.number(),
  calls: z.number(),
});
export type UnpricedReply = z.infer<typeof unpricedSchema>;

/** Query of `GET /v1/prices/models`. */
export const pricedModelsQuerySchema = z.object({
  organizationId: z.string(),
  /** A part of `provider/model`. */
  q: z.string().trim().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(20),
});

/** Reply of `GET /v1/prices/models`: names that begin so first. */
export const pricedModelsSchema = z.object({
  models: z.array(
    z.object({
      provider: z.string().nullable(),
      model: z.string(),
      /** By a price of the organization's own. */
      own: z.boolean(),
      /** US dollars a million tokens now, at the smallest size; null where it has no such rate. */
      input: z.number().nullable(),
      output: z.number().nullable(),
    }),
  ),
});
export type PricedModels = z.infer<typeof pricedModelsSchema>;
export type PricedModel = PricedModels['models'][number];

const ofPrice = z.object({ id: z.string().max(100).describe('Id of the price.') });

export const listPricesEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/prices',
  auth: 'organization',
  summary: "The organization's own prices, and which catalogue stands behind them",
  query: organizationQuery,
  reply: priceListSchema,
});

export const createPriceEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/prices',
  auth: 'organization',
  role: 'admin',
  summary: 'Set a price for models of a name; it holds for every call from now on',
  query: organizationQuery,
  body: priceInputSchema,
  reply: priceSchema,
  status: 201,
});

export const updatePriceEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/prices/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Replace a price; events that it priced keep what they cost until they are re-priced',
  query: organizationQuery,
  params: ofPrice,
  body: priceInputSchema,
  reply: priceSchema,
});

export const deletePriceEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/prices/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Remove a price; the catalogue holds again for calls from now on',
  query: organizationQuery,
  params: ofPrice,
  status: 204,
});

export const pricedModelsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/prices/models',
  auth: 'organization',
  summary: 'Models that have a price now, by a part of their name, with their rates',
  query: pricedModelsQuerySchema,
  reply: pricedModelsSchema,
});

export const unpricedEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/prices/unpriced',
  auth: 'project',
  summary: 'Models that were seen without a price, how often and when',
  query: metricsQuerySchema,
  reply: unpricedSchema,
});
