import { z } from 'zod';
import { priceInputSchema, priceSchema } from '../../core/pricing/contract.ts';
import { catalogueOf } from '../../core/pricing/index.ts';
import { defineRoute } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import { priceListSchema } from './contract.ts';
import { findPrice, listPrices } from './queries.ts';
import { removePrice, setPrices } from './set-price.ts';

const ofOrganization = z.object({ organizationId: z.string() });
const ofPrice = z.object({ id: z.string().max(100) });

export const listPricesRoute = defineRoute({
  method: 'GET',
  path: '/v1/prices',
  auth: 'organization',
  summary: "The organization's own prices, and which catalogue stands behind them",
  query: ofOrganization,
  reply: priceListSchema,
  handler: async (ctx, _input, { organizationId }) => {
    const { version, providers } = await catalogueOf(ctx);
    const models = providers.reduce((sum, provider) => sum + provider.models.length, 0);
    return {
      catalogue: { version, providers: providers.length, models },
      prices: await listPrices(ctx, organizationId),
    };
  },
});

export const createPriceRoute = defineRoute({
  method: 'POST',
  path: '/v1/prices',
  auth: 'organization',
  role: 'admin',
  summary: 'Set a price for models of a name; it holds for every call from now on',
  query: ofOrganization,
  body: priceInputSchema,
  reply: priceSchema,
  status: 201,
  handler: async (ctx, input, caller) => {
    const { organizationId } = caller;
    const [made] = await setPrices(ctx, actorOf(caller, input), [
      { organizationId, input: input.body, id: null },
    ]);
    return made;
  },
});

export const updatePriceRoute = defineRoute({
  method: 'PUT',
  path: '/v1/prices/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Replace a price; events that it priced keep what they cost until they are re-priced',
  query: ofOrganization,
  params: ofPrice,
  body: priceInputSchema,
  reply: priceSchema,
  handler: async (ctx, input, caller) => {
    const { organizationId } = caller;
    const { id } = await findPrice(ctx, organizationId, input.params.id);
    const [changed] = await setPrices(ctx, actorOf(caller, input), [
      { organizationId, input: input.body, id },
    ]);
    return changed;
  },
});

export const deletePriceRoute = defineRoute({
  method: 'DELETE',
  path: '/v1/prices/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Remove a price; the catalogue holds again for calls from now on',
  query: ofOrganization,
  params: ofPrice,
  status: 204,
  handler: async (ctx, input, caller) => {
    const { organizationId } = caller;
    await removePrice(ctx, actorOf(caller, input), { organizationId, id: input.params.id });
    return null;
  },
});
