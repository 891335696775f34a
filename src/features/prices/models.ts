import type { Ctx } from '../../context.ts';
import { catalogueOf, listPrices, type Pricer, pricerOf } from '../../core/pricing/index.ts';
import { route } from '../../core/tenancy/index.ts';
import { type PricedModel, pricedModelsEndpoint } from './contract.ts';

type Name = { readonly provider: string | null; readonly model: string };

/** Every model with a name of its own: the organization's prices first, then the catalogue's without those that are gone. */
async function listNames(ctx: Ctx, organizationId: string): Promise<Name[]> {
  const [{ providers }, own] = await Promise.all([catalogueOf(ctx), listPrices(ctx, organizationId)]);
  return [
    ...own.filter(({ match }) => match === 'exact').map(({ provider, model }) => ({ provider, model })),
    ...providers.flatMap(({ id, models }) =>
      models.filter(({ deprecated }) => !deprecated).map((model) => ({ provider: id, model: model.id })),
    ),
  ];
}

const nameOf = ({ provider, model }: Name): string => (provider === null ? model : `${provider}/${model}`);

/** Where a name is found: at the start of it or of its model, or within; null where it is not. */
function rankOf(name: Name, text: string): number | null {
  const whole = nameOf(name).toLowerCase();
  if (whole.startsWith(text) || name.model.toLowerCase().startsWith(text)) return 0;
  return whole.includes(text) ? 1 : null;
}

/** Today's rates of a model; null where it has no price now. */
function toPriced(pricer: Pricer, { provider, model }: Name, ts: number): PricedModel | null {
  const buckets = { fresh: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
  const found = pricer.priceCall({ provider, model, ts, buckets });
  if (found.status === 'unpriced') return null;
  const { source, rates } = found.price;
  const { fresh, output } = rates;
  return {
    provider,
    model,
    own: source === 'override',
    input: fresh?.usd ?? null,
    output: output?.usd ?? null,
  };
}

export const pricedModelsRoute = route(pricedModelsEndpoint, async (ctx, { query }, { organizationId }) => {
  const text = (query.q ?? '').toLowerCase();
  const [names, pricer] = await Promise.all([listNames(ctx, organizationId), pricerOf(ctx, organizationId)]);
  const ranked = names
    .flatMap((name) => {
      const rank = rankOf(name, text);
      return rank === null ? [] : [{ name, rank }];
    })
    .sort((a, b) => a.rank - b.rank || nameOf(a.name).length - nameOf(b.name).length);
  const models: PricedModel[] = [];
  const seen = new Set<string>();
  for (const { name } of ranked) {
    if (models.length >= query.limit) break;
    if (seen.has(nameOf(name))) continue;
    seen.add(nameOf(name));
    const priced = toPriced(pricer, name, ctx.now());
    if (priced !== null) models.push(priced);
  }
  return { models };
});
