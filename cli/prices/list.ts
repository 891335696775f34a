import { defineCommand } from '../command.ts';
import { readOfOrganization } from '../organization.ts';
import { describeCatalogue, warnIfStale } from './catalogue-note.ts';
import { orgOption, priceColumns } from './fields.ts';

export const pricesList = defineCommand({
  name: 'prices list',
  summary: 'List custom prices in USD per million tokens',
  options: orgOption,
  examples: ['spanledger prices list', 'spanledger prices list --org acme --json'],
  run: async (ctx) => {
    const [{ catalogueOf, listPrices, stateOf }, { listPricesEndpoint }] = await Promise.all([
      import('../../src/core/pricing/index.ts'),
      import('../../src/features/prices/contract.ts'),
    ]);
    const doc = await readOfOrganization(ctx, ctx.options.org, {
      file: async (app, { id }) => ({
        catalogue: stateOf(await catalogueOf(app), Date.now()),
        prices: await listPrices(app, id),
      }),
      server: (server, { id: organizationId }) =>
        server.get(listPricesEndpoint, { query: { organizationId } }),
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
