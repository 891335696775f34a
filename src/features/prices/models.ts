import { catalogueOf, listPrices, pricerOf } from '../../core/pricing/index.ts';
import { route } from '../../core/tenancy/index.ts';
import { listNames, priceAt, searchNames } from './catalogue/names.ts';
import { type PricedModel, pricedModelsEndpoint } from './contract.ts';

export const pricedModelsRoute = route(pricedModelsEndpoint, async (ctx, { query }, { organizationId }) => {
  const text = (query.q ?? '').toLowerCase();
  const [catalogue, own, pricer] = await Promise.all([
    catalogueOf(ctx),
    listPrices(ctx, organizationId),
    pricerOf(ctx, organizationId),
  ]);
  const names = listNames(catalogue, own, ctx.now()).filter(({ deprecated }) => !deprecated);
  const models: PricedModel[] = [];
  for (const name of searchNames(names, text)) {
    if (models.length >= query.limit) break;
    const price = priceAt(pricer, name, ctx.now());
    if (price === null) continue;
    const { provider, model } = name;
    const { fresh, output } = price.rates;
    const own = price.source === 'override';
    models.push({ provider, model, own, input: fresh?.usd ?? null, output: output?.usd ?? null });
  }
  return { models };
});
