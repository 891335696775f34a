import { z } from 'zod';
import { overrideRatesSchema, priceSchema } from '../../../core/pricing/contract.ts';
import { catalogueStateSchema, pastChangeSchema } from '../../../core/pricing/packs/contract.ts';
import { defineEndpoint, organizationQuery } from '../../../core/tenancy/contract.ts';

/** Most models in a comparison. */
export const MAX_COMPARED = 6;

const about = {
  provider: z
    .string()
    .nullable()
    .describe("The catalogue's id of the provider, such as `openai`; null for any."),
  model: z.string().describe('Id of the model, or the name of an alias.'),
  name: z.string().nullable().describe('Name of the model for people; null if unknown.'),
  deprecated: z.boolean().describe('Whether its provider has retired it.'),
  contextWindow: z.number().nullable().describe('Most tokens of a call; null if unknown.'),
};

/** A model with what it costs now. */
export const listedModelSchema = z.object({
  ...about,
  alias: z.string().nullable().describe('For an alias: the model that it stands for now.'),
  custom: z.boolean().describe('Whether a custom price of the organization applies now.'),
  conditional: z
    .boolean()
    .describe('Whether the price depends on the size of the input, the date or the hour.'),
  rates: overrideRatesSchema.describe('Rates of a short call now. Rates that repeat another are left out.'),
});
export type ListedModel = z.infer<typeof listedModelSchema>;

export const catalogueListQuery = organizationQuery.extend({
  q: z.string().trim().max(300).optional().describe('Part of `provider/model` to search for.'),
  provider: z.string().trim().max(200).optional().describe("Only this provider, by the catalogue's id."),
  deprecated: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Whether to list retired models too. Default: false.'),
  cursor: z
    .string()
    .regex(/^\d{1,7}$/, 'was not returned by this endpoint; leave it out for the first page')
    .optional()
    .describe('`nextCursor` of the previous page; without one, the first page.'),
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('Most models, 1 to 200. Default: 50.'),
});

export const catalogueListSchema = z.object({
  catalogue: catalogueStateSchema.describe('The catalogue in force.'),
  providers: z
    .array(
      z.object({
        id: z.string().describe('Id of the provider.'),
        name: z.string().describe('Name of the provider.'),
        models: z.int().describe('Models of the provider.'),
      }),
    )
    .describe('Providers of the catalogue.'),
  total: z.int().describe('Models that match.'),
  models: z.array(listedModelSchema).describe('Models of the page: custom prices first, then by name.'),
  nextCursor: z
    .string()
    .nullable()
    .describe('Opaque; pass it as `cursor` to get the next page. Null on the last page.'),
});
export type CatalogueList = z.infer<typeof catalogueListSchema>;

const tier = overrideRatesSchema.extend({
  above: z.number().describe('For calls of more input tokens than this.'),
});

const listedPeriod = z.object({
  from: z.string().nullable().describe('Valid from this day; null without a start.'),
  daily: z.string().nullable().describe('Hours of the day, as `00:30:00Z/16:30:00Z`; null for all day.'),
  rates: overrideRatesSchema.describe('Rates. Rates that repeat another are left out.'),
  tiers: z.array(tier).describe('Complete rates for long inputs.'),
});
export type ListedPeriod = z.infer<typeof listedPeriod>;

/** Everything that is known about the price of a model. */
export const modelPricesSchema = z.object({
  asked: z.string().describe('The name that was asked for.'),
  ...about,
  found: z.boolean().describe('Whether the catalogue lists it, or a custom price applies.'),
  alias: z
    .array(
      z.object({
        from: z.string().describe('Since when.'),
        model: z.string().describe('The model that it stood for.'),
        surely: z
          .string()
          .nullable()
          .describe('First day on which that is confirmed; null if the change is documented.'),
      }),
    )
    .nullable()
    .describe('For an alias: what it stood for, oldest first.'),
  inForce: z
    .object({
      source: z.enum(['catalogue', 'override']).describe('Where the price comes from.'),
      reference: z.string().describe('Version of the catalogue, or id of the custom price.'),
      note: z.string().nullable().describe('Why costs are estimates; null if they are not.'),
      rates: overrideRatesSchema.describe('Rates of a short call now.'),
    })
    .nullable()
    .describe('The price of a call made now; null without one.'),
  listed: z
    .array(listedPeriod)
    .describe('Prices in the catalogue; the last whose conditions hold applies. Empty if it lists none.'),
  custom: z.array(priceSchema).describe('Custom prices of the organization for this model, ended ones too.'),
  changes: z.array(pastChangeSchema).describe('What price packs changed, newest first, at most 100.'),
});
export type ModelPrices = z.infer<typeof modelPricesSchema>;

export const catalogueModelsSchema = z.object({
  catalogue: catalogueStateSchema.describe('The catalogue in force.'),
  models: z.array(modelPricesSchema).describe('The models, as they were asked for.'),
});
export type CatalogueModels = z.infer<typeof catalogueModelsSchema>;

export const catalogueEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/prices/catalogue',
  auth: 'organization',
  summary: 'Search the catalogue of prices; custom prices come first',
  query: catalogueListQuery,
  reply: catalogueListSchema,
});

export const catalogueModelsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/prices/catalogue/models',
  auth: 'organization',
  summary: 'Get all prices of models: now, by date, tier and hour, and their history',
  query: organizationQuery.extend({
    names: z
      .string()
      .max(2_000)
      .transform((text) => text.split(',').map((name) => name.trim()))
      .pipe(z.array(z.string().min(1).max(600)).min(1).max(MAX_COMPARED))
      .meta({
        description: `Up to ${MAX_COMPARED} models with commas between: \`provider/model\`, or a name alone.`,
        example: 'openai/gpt-4o,gpt-4o-mini',
      }),
  }),
  reply: catalogueModelsSchema,
});
