import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { idOrName } from '../../core/orgs/contract.ts';
import { findOrganization } from '../../core/orgs/index.ts';
import { MAX_PRICES, type PriceRow, priceInputSchema } from '../../core/pricing/contract.ts';
import {
  endingPrevious,
  listPrices,
  nameOf,
  organizationOfPrice,
  removePrice,
  setPrices,
} from '../../core/pricing/index.ts';
import { defineAction } from '../../module.ts';
import { download } from './download.ts';
import {
  builtInCandidate,
  type Candidate,
  keptCandidate,
  readCandidate,
  updateCatalogue,
} from './update-catalogue.ts';

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
 * start is replaced. With `endPrevious`, one that applies when a new one starts ends then.
 */
export const setPricesAction = defineAction({
  name: 'prices.set',
  input: z.object({
    organization: idOrName,
    prices: z.array(priceInputSchema).min(1).max(MAX_PRICES),
    endPrevious: z.boolean().default(false),
  }),
  run: async (ctx, { organization, prices, endPrevious }, actor) => {
    const { id: organizationId } = await findOrganization(ctx, organization);
    const known = await listPrices(ctx, organizationId);
    const writes = prices.map((input) => ({ organizationId, input, id: sameAs(known, input) }));
    const all = endPrevious ? writes.flatMap((write) => endingPrevious(known, write)) : writes;
    return { prices: await setPrices(ctx, actor, all) };
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

const maxText = 20_000_000;

/**
 * `prices.update`: puts a price pack in force, whole or not at all: a file, the document at an address, one that was in
 * force before, or the built-in catalogue. `dryRun` only tells what would change.
 */
export const updateCatalogueAction = defineAction({
  name: 'prices.update',
  input: z.strictObject({
    from: z.union([
      z.strictObject({ file: z.string().min(1).max(1_000), text: z.string().max(maxText) }),
      z.strictObject({ url: z.string().min(1).max(2_000) }),
      z.strictObject({ kept: z.int().min(1) }),
      z.strictObject({ builtIn: z.literal(true) }),
    ]),
    unsigned: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  run: async (ctx, { from, unsigned, dryRun }, actor) =>
    updateCatalogue(ctx, await candidateOf(ctx, from, unsigned), { actor, dryRun }),
});

type From =
  | { readonly file: string; readonly text: string }
  | { readonly url: string }
  | { readonly kept: number }
  | { readonly builtIn: true };

async function candidateOf(ctx: Ctx, from: From, unsigned: boolean): Promise<Candidate> {
  if ('builtIn' in from) return builtInCandidate();
  if ('kept' in from) return keptCandidate(ctx, from.kept);
  if ('file' in from) return readCandidate(ctx, { text: from.text, source: from.file, unsigned });
  return readCandidate(ctx, { text: await download(ctx, from.url), source: from.url, unsigned: false });
}
