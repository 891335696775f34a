import { createHash } from 'node:crypto';
import { z } from 'zod';
import { commitChange, INSTALLATION } from '../../core/audit/index.ts';
import { idOrName } from '../../core/orgs/contract.ts';
import { findOrganization } from '../../core/orgs/index.ts';
import { MAX_PRICES, type PriceRow, priceInputSchema } from '../../core/pricing/contract.ts';
import {
  catalogueStatements,
  catalogueSubject,
  listPrices,
  nameOf,
  newestCatalogue,
  organizationOfPrice,
  parseCatalogue,
  pricesChanged,
  removePrice,
  setPrices,
} from '../../core/pricing/index.ts';
import { defineAction } from '../../module.ts';

/** The price of the same name and start, which a new one takes the place of. */
const sameAs = (known: readonly PriceRow[], input: z.output<typeof priceInputSchema>): string | null => {
  const named = { ...input, provider: input.provider ?? null, serviceTier: input.serviceTier ?? null };
  const from = input.effectiveFrom ? Date.parse(input.effectiveFrom) : null;
  const same = known.find(
    (row) =>
      nameOf(row) === nameOf(named) &&
      (row.effectiveFrom === null ? null : Date.parse(row.effectiveFrom)) === from,
  );
  return same?.id ?? null;
};

/**
 * `prices.set`: prices of an organization, all or none. One of the same provider, name, service tier and
 * start is replaced.
 */
export const setPricesAction = defineAction({
  name: 'prices.set',
  input: z.object({ organization: idOrName, prices: z.array(priceInputSchema).min(1).max(MAX_PRICES) }),
  run: async (ctx, { organization, prices }, actor) => {
    const { id: organizationId } = await findOrganization(ctx, organization);
    const known = await listPrices(ctx, organizationId);
    const writes = prices.map((input) => ({ organizationId, input, id: sameAs(known, input) }));
    return { prices: await setPrices(ctx, actor, writes) };
  },
});

/** `prices.remove`: the catalogue holds again for calls from now on. */
export const removePriceAction = defineAction({
  name: 'prices.remove',
  input: z.object({ id: z.string().min(1).max(100) }),
  run: async (ctx, { id }, actor) => {
    await removePrice(ctx, actor, { organizationId: await organizationOfPrice(ctx, id), id });
    return { id };
  },
});

/**
 * `prices.update`: takes a newer catalogue of the published form, whole or not at all. Prices of
 * organizations stay and stand above it. The same catalogue again changes nothing.
 */
export const updateCatalogueAction = defineAction({
  name: 'prices.update',
  input: z.object({ source: z.string().min(1).max(1_000), text: z.string().max(20_000_000) }),
  run: async (ctx, { source, text }, actor) => {
    const providers = parseCatalogue(text);
    const json = JSON.stringify(providers);
    const sha256 = createHash('sha256').update(json).digest('hex');
    const models = providers.reduce((sum, provider) => sum + provider.models.length, 0);
    const newest = await newestCatalogue(ctx);
    const reply = { sha256, providers: providers.length, models };
    if (newest?.sha256 === sha256) return { ...reply, changed: false };
    const id = (newest?.id ?? 0) + 1;
    const takenAt = new Date(ctx.now());
    await commitChange(ctx, actor, {
      statements: catalogueStatements(ctx, { id, takenAt, source, sha256, json }),
      audit: [
        {
          action: 'price_catalogue.updated',
          organizationId: INSTALLATION,
          subject: { of: catalogueSubject, id: String(id) },
        },
      ],
    });
    ctx.emit(pricesChanged);
    return { ...reply, changed: true };
  },
});
