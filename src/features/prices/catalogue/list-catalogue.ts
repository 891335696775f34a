import type { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { catalogueOf, listPrices, pricerOf, ratesOfPrice, stateOf } from '../../../core/pricing/index.ts';
import { route } from '../../../core/tenancy/index.ts';
import { type CatalogueList, catalogueEndpoint, type catalogueListQuery } from './contract.ts';
import { listNames, priceAt, searchNames } from './names.ts';

type Query = Omit<z.output<typeof catalogueListQuery>, 'organizationId'>;

/** A page of the models whose name contains a text, with what they cost now. */
export async function listCatalogue(ctx: Ctx, organizationId: string, query: Query): Promise<CatalogueList> {
  const [catalogue, own, pricer] = await Promise.all([
    catalogueOf(ctx),
    listPrices(ctx, organizationId),
    pricerOf(ctx, organizationId),
  ]);
  const { provider, deprecated, limit } = query;
  const text = (query.q ?? '').toLowerCase();
  const matching = searchNames(
    listNames(catalogue, own, ctx.now())
      .filter((one) => provider === undefined || one.provider === provider.toLowerCase())
      .filter((one) => deprecated === 'true' || !one.deprecated),
    text,
  );
  const start = Number(query.cursor ?? 0);
  const models = matching.slice(start, start + limit).map((one) => {
    const price = priceAt(pricer, one, ctx.now());
    return { ...one, custom: price?.source === 'override', rates: ratesOfPrice(price?.rates ?? {}) };
  });
  return {
    catalogue: stateOf(catalogue, ctx.now()),
    providers: catalogue.providers.map(({ id, name, models: all }) => ({ id, name, models: all.length })),
    total: matching.length,
    models,
    nextCursor: start + limit < matching.length ? String(start + limit) : null,
  };
}

export const catalogueRoute = route(catalogueEndpoint, (ctx, { query }, { organizationId }) =>
  listCatalogue(ctx, organizationId, query),
);
