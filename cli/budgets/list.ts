import { operatorOrganization } from '../../src/core/tenancy/index.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { withApp } from '../session.ts';
import { budgetColumns, notesOf } from './print.ts';

export const budgetsList = defineCommand({
  name: 'budgets list',
  summary: 'List budgets with spend so far, forecast and the time they run out',
  options: orgOption,
  examples: ['spanledger budgets list', 'spanledger budgets list --org acme --json'],
  run: async (ctx) => {
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const [{ findOrganization }, { listBudgetRows, withStatus }] = await Promise.all([
      import('../../src/core/orgs/index.ts'),
      import('../../src/features/budgets/index.ts'),
    ]);
    const budgets = await withApp(ctx, async ({ ctx: app }) => {
      const { id } = await findOrganization(app, organization);
      return withStatus(app, operatorOrganization(id), await listBudgetRows(app, id));
    });
    ctx.output.result({ budgets }, () => {
      if (budgets.length === 0)
        return ctx.output.info('No budgets yet; create one with `spanledger budgets set`');
      ctx.output.table(budgetColumns, budgets);
      for (const note of notesOf(budgets)) ctx.output.warn(note);
    });
  },
});
