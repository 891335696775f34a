import { catalogueOf, listPrices, pricerOf } from '../../core/pricing/index.ts';
import { route } from '../../core/tenancy/index.ts';
import { listNames, priceAt, rankOf, textOf } from './catalogue/names.ts';
import { type PricedModel, pricedModelsEndpoint } from './contract.ts';

export const pricedModelsRoute = route(pricedModelsEndpoint, async (ctx, { query }, { organizationId }) => {
  const text = (query.q ?? '').toLowerCase();
  const [catalogue, own, pricer] = await Promise.all([
    catalogueOf(ctx),
    listPrices(ctx, organizationId),
    pricerOf(ctx, organizationId),
  ]);
  const ranked = listNames(catalogue, own, ctx.now())
    .filter(({ deprecated }) => !deprecated)
    .flatMap((name) => {
      const rank = rankOf(name, text);
      return rank === null ? [] : [{ name, rank }];
    })
    .sort((a, b) => a.rank - b.rank || textOf(a.name).length - textOf(b.name).length);
  const models: PricedModel[] = [];
  for (const { name } of ranked) {
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
