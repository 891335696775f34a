import type { Ctx } from '../../context.ts';
import { catalogueOf, listCatalogues } from '../../core/pricing/index.ts';
import { conflict } from '../../errors.ts';
import type { Job } from '../../module.ts';
import { download } from './download.ts';
import { type CatalogueUpdate, readCandidate, updateCatalogue } from './update-catalogue.ts';

const NAME = 'prices.check';
const ACTOR = { kind: 'system', name: NAME } as const;
/** A pack that ends a larger share of the models is put in force by hand only. */
const MOST_ENDED = 0.1;

/**
 * Downloads the pack of `PRICE_PACK_URL` and puts it in force if it is newer. A pack that was replaced by hand is not
 * put in force again, so an older one stays until its publisher issues the next.
 */
export const checkPricesJob: Job = {
  name: NAME,
  summary: 'Put a newer price pack of PRICE_PACK_URL in force',
  schedule: '20 4 * * *',
  quiet: true,
  run: async (ctx, signal) => {
    const url = ctx.config.PRICE_PACK_URL;
    if (url === undefined) return {};
    const candidate = readCandidate(ctx, {
      text: await download(ctx, url, signal),
      source: url,
      unsigned: false,
    });
    const found = await updateCatalogue(ctx, candidate, { actor: ACTOR, dryRun: true });
    const summary = { version: found.version, date: found.date };
    const kept = await listCatalogues(ctx);
    const current = await catalogueOf(ctx);
    if (current.date !== null && found.date < current.date)
      return { ...summary, changed: false, why: 'older' };
    if (kept.some(({ sha256 }) => sha256 === found.sha256))
      return { ...summary, changed: false, why: 'known' };
    await refuseLoss(ctx, found);
    const { changes } = await updateCatalogue(ctx, candidate, { actor: ACTOR, dryRun: false });
    return { ...summary, changed: true, changes: changes.length };
  },
};

async function refuseLoss(ctx: Ctx, { version, changes }: CatalogueUpdate): Promise<void> {
  const { providers } = await catalogueOf(ctx);
  const models = providers.reduce((sum, provider) => sum + provider.models.length, 0);
  const ended = changes.filter(({ change }) => change === 'ended').length;
  if (ended <= models * MOST_ENDED) return;
  throw conflict(
    `The price pack ${version} would end the prices of ${ended} models; put it in force with \`spanledger prices update\` if that is intended`,
  );
}
