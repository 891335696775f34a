import { z } from 'zod';
import { priceSchema } from '../../core/pricing/contract.ts';

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
