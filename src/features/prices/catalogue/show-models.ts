import type { Ctx } from '../../../context.ts';
import type { PriceRow } from '../../../core/pricing/contract.ts';
import {
  type Catalogue,
  catalogueOf,
  type FoundModel,
  findModel,
  isPriceOf,
  listChanges,
  listPrices,
  modelOfTarget,
  type Pricer,
  periodsOf,
  pricerOf,
  ratesOfPrice,
  stateOf,
} from '../../../core/pricing/index.ts';
import { route } from '../../../core/tenancy/index.ts';
import {
  type CatalogueModels,
  catalogueModelsEndpoint,
  type ListedPeriod,
  type ModelPrices,
} from './contract.ts';
import { type Name, priceAt } from './names.ts';

/** All that is known about the prices of some models. @param names `provider/model`, or a name alone */
export async function showModels(
  ctx: Ctx,
  organizationId: string,
  names: readonly string[],
): Promise<CatalogueModels> {
  const [catalogue, own, pricer] = await Promise.all([
    catalogueOf(ctx),
    listPrices(ctx, organizationId),
    pricerOf(ctx, organizationId),
  ]);
  const models = await Promise.all(names.map((asked) => showModel(ctx, { catalogue, own, pricer }, asked)));
  return { catalogue: stateOf(catalogue, ctx.now()), models };
}

type Book = { readonly catalogue: Catalogue; readonly own: readonly PriceRow[]; readonly pricer: Pricer };

async function showModel(ctx: Ctx, { catalogue, own, pricer }: Book, asked: string): Promise<ModelPrices> {
  const { name, found } = resolve(catalogue, asked);
  const provider = found?.provider ?? name.provider;
  // A name alone is priced as a call of the provider that is shown, because custom prices depend on it.
  const called = { ...name, provider: name.provider ?? provider };
  const price = priceAt(pricer, called, ctx.now());
  const custom = own.filter((row) => isPriceOf(row, called, catalogue));
  const listed = found === null ? null : targetOf(catalogue, found, ctx.now());
  const id = found?.alias?.name ?? found?.model.id ?? name.model;
  return {
    asked,
    provider,
    model: id,
    name: listed?.name ?? null,
    deprecated: listed?.deprecated ?? false,
    contextWindow: listed?.context_window ?? null,
    found: found !== null || custom.length > 0,
    alias: found?.alias?.targets.map(({ from, model, surely = null }) => ({ from, model, surely })) ?? null,
    inForce:
      price === null
        ? null
        : {
            source: price.source,
            reference: price.reference,
            note: price.note,
            rates: ratesOfPrice(price.rates),
          },
    listed: found === null || listed === null ? [] : listedPeriods(found.provider, listed),
    custom,
    changes: provider === null ? [] : await listChanges(ctx, { provider, model: id }),
  };
}

/** The model that a text names: with a provider in front, or by the maker of that name. */
function resolve(catalogue: Catalogue, asked: string): { name: Name; found: FoundModel | null } {
  const slash = asked.indexOf('/');
  const split: Name =
    slash < 1
      ? { provider: null, model: asked }
      : { provider: asked.slice(0, slash), model: asked.slice(slash + 1) };
  const found = findModel(catalogue, split.provider, split.model);
  if (typeof found !== 'string') return { name: split, found };
  // A gateway's name begins with a word that is no provider, such as `@cf/meta/…`.
  const whole = findModel(catalogue, null, asked);
  if (typeof whole !== 'string') return { name: { provider: null, model: asked }, found: whole };
  return { name: split, found: null };
}

/** The model whose prices hold now: for an alias, what it stands for. */
function targetOf(
  catalogue: Catalogue,
  { provider, model, alias }: FoundModel,
  now: number,
): FoundModel['model'] {
  const target = alias?.targets.findLast(({ from }) => Date.parse(from) <= now);
  const models = catalogue.providers.find(({ id }) => id === provider)?.models ?? [];
  return (target === undefined ? undefined : modelOfTarget(models, target)) ?? model;
}

function listedPeriods(provider: string, model: FoundModel['model']): ListedPeriod[] {
  return periodsOf(provider, model).map(({ from, daily, bands }) => ({
    from,
    daily,
    rates: ratesOfPrice(bands[0]?.rates ?? {}),
    tiers: bands.slice(1).map(({ above, rates }) => ({ above, ...ratesOfPrice(rates) })),
  }));
}

export const catalogueModelsRoute = route(catalogueModelsEndpoint, (ctx, { query }, { organizationId }) =>
  showModels(ctx, organizationId, query.names),
);
