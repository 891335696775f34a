import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { withApp } from '../session.ts';
import { orgOption } from './fields.ts';

export const pricesExport = defineCommand({
  name: 'prices export',
  summary: 'Print the custom prices as JSON for `prices import`',
  options: orgOption,
  examples: ['spanledger prices export >prices.json'],
  run: async (ctx) => {
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const [{ findOrganization }, { listPrices }] = await Promise.all([
      import('../../src/core/orgs/index.ts'),
      import('../../src/core/pricing/index.ts'),
    ]);
    const rows = await withApp(ctx, async ({ ctx: app }) =>
      listPrices(app, (await findOrganization(app, organization)).id),
    );
    const prices = rows.map(({ id, organizationId, createdAt, updatedAt, ...price }) => price);
    ctx.output.result({ prices }, () => ctx.output.raw(`${JSON.stringify({ prices }, null, 2)}\n`));
  },
});
