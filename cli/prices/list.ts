import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { withApp } from '../session.ts';
import { describeCatalogue, warnIfStale } from './catalogue-note.ts';
import { orgOption, priceColumns } from './fields.ts';

export const pricesList = defineCommand({
  name: 'prices list',
  summary: 'List custom prices in USD per million tokens',
  options: orgOption,
  examples: ['spanledger prices list', 'spanledger prices list --org acme --json'],
  run: async (ctx) => {
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const [{ findOrganization }, { catalogueOf, listPrices, stateOf }] = await Promise.all([
      import('../../src/core/orgs/index.ts'),
      import('../../src/core/pricing/index.ts'),
    ]);
    const doc = await withApp(ctx, async ({ ctx: app }) => {
      const { id } = await findOrganization(app, organization);
      const catalogue = stateOf(await catalogueOf(app), Date.now());
      return { catalogue, prices: await listPrices(app, id) };
    });
    const { catalogue, prices } = doc;
    ctx.output.result(doc, () => {
      if (prices.length > 0) ctx.output.table(priceColumns, prices);
      else ctx.output.info('No custom prices; set one with `spanledger prices set`');
      ctx.output.info(`Catalogue: ${describeCatalogue(catalogue)}`);
      warnIfStale(ctx.output, catalogue);
    });
  },
});
