import { z } from 'zod';
import { metricsQuerySchema } from '../../core/events/contract.ts';
import { priceInputSchema, priceSchema } from '../../core/pricing/contract.ts';
import { catalogueStateSchema } from '../../core/pricing/packs/contract.ts';
import { defineEndpoint, organizationQuery } from '../../core/tenancy/contract.ts';

/** Reply of `GET /v1/prices`. */
export const priceListSchema = z.object({
  catalogue: catalogueStateSchema.describe('Price catalogue that applies where no custom price does.'),
  prices: z.array(priceSchema).describe('Custom prices of the organization.'),
});

/** Reply of `GET /v1/prices/unpriced`: what was seen without a price, the most calls first. */
export const unpricedSchema = z.object({
  models: z
    .array(
      z.object({
        provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
        model: z.string().describe('Model name as it was sent.'),
        unpriced: z.number().describe('Calls of the window without a price.'),
        calls: z.number().describe('Number of calls.'),
        inputTokens: z.number().describe('Tokens of the calls without a price.'),
        outputTokens: z.number().describe('Output tokens, reasoning included.'),
        firstSeen: z.string().describe('When a call without a price was first seen, ISO 8601 UTC.'),
        lastSeen: z.string().describe('When a call without a price was last seen, ISO 8601 UTC.'),
        reason: z
          .string()
          .nullable()
          .describe(
            'Why the newest of them has no price; null if it would have one now. `no_usage`: its sender reported no token counts.',
          ),
        missingRate: z
          .string()
          .nullable()
          .describe('For `no_rate`: the rate that the price lacks, by its name in custom prices.'),
      }),
    )
    .describe('Models.'),
  unpriced: z.number().describe('All calls without a price.'),
  calls: z.number().describe('Number of calls.'),
});
export type UnpricedReply = z.infer<typeof unpricedSchema>;

/** Query of `GET /v1/prices/models`. */
export const pricedModelsQuerySchema = z.object({
  organizationId: z.string().describe('Id of the organization. You must be a member of it.'),
  q: z.string().trim().max(300).optional().describe('Part of `provider/model` to search for.'),
  limit: z.coerce.number().int().min(1).max(200).default(20).describe('Most models, 1 to 200. Default: 20.'),
});

/** Reply of `GET /v1/prices/models`: names that begin so first. */
export const pricedModelsSchema = z.object({
  models: z
    .array(
      z.object({
        provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
        model: z.string().describe('Model name as it was sent.'),
        own: z.boolean().describe('Whether a custom price applies.'),
        input: z.number().nullable().describe('USD per 1M input tokens; null without such a rate.'),
        output: z.number().nullable().describe('USD per 1M output tokens; null without such a rate.'),
      }),
    )
    .describe('Models.'),
});
export type PricedModels = z.infer<typeof pricedModelsSchema>;
export type PricedModel = PricedModels['models'][number];

const ofPrice = z.object({ id: z.string().max(100).describe('Id of the price.') });

export const listPricesEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/prices',
  auth: 'organization',
  summary: 'List custom prices, and the catalogue that applies elsewhere',
  query: organizationQuery,
  reply: priceListSchema,
});

const EXAMPLE_PRICE = {
  provider: 'acme',
  match: 'prefix',
  model: 'acme-chat',
  rates: { input: 1.25, cacheRead: 0.125, output: 10 },
  effectiveFrom: '2026-01-01',
} as const;

export const createPriceEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/prices',
  auth: 'organization',
  role: 'admin',
  summary: 'Create a custom price; it overrides the catalogue for new calls',
  query: organizationQuery.extend({
    endPrevious: z
      .enum(['true', 'false'])
      .default('false')
      .describe(
        'Whether the price of the same name that applies at `effectiveFrom` ends then. Default: false.',
      ),
  }),
  body: priceInputSchema,
  example: EXAMPLE_PRICE,
  reply: priceSchema,
  status: 201,
});

export const updatePriceEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/prices/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Replace a custom price; stored events keep their cost until you re-price them',
  query: organizationQuery,
  params: ofPrice,
  body: priceInputSchema,
  example: { ...EXAMPLE_PRICE, note: 'The price of our contract.' },
  reply: priceSchema,
});

export const deletePriceEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/prices/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Remove a custom price; the catalogue applies again to new calls',
  query: organizationQuery,
  params: ofPrice,
  status: 204,
});

export const pricedModelsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/prices/models',
  auth: 'organization',
  summary: 'Search models that have a price, with their rates',
  query: pricedModelsQuerySchema,
  reply: pricedModelsSchema,
});

export const unpricedEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/prices/unpriced',
  auth: 'project',
  summary: 'List models seen without a price, how often and when',
  query: metricsQuerySchema,
  reply: unpricedSchema,
});
