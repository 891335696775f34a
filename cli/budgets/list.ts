import type { Budget } from '../../src/core/budgets/contract.ts';
import { operatorOrganization } from '../../src/core/tenancy/index.ts';
import { defineCommand } from '../command.ts';
import { readOfOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { budgetColumns, notesOf } from './print.ts';

export const budgetsList = defineCommand({
  name: 'budgets list',
  summary: 'List budgets with spend so far, forecast and the time they run out',
  options: {
    ...orgOption,
    filter: { value: 'TEXT', summary: "Filter, such as 'status:exceeded kind:user used>80'", short: 'f' },
  },
  examples: ['spanledger budgets list', 'spanledger budgets list --filter status:exceeded --json'],
  run: async (ctx) => {
    const { org, filter } = ctx.options;
    const [{ listBudgets }, { listBudgetsEndpoint }] = await Promise.all([
      import('../../src/core/budgets/index.ts'),
      import('../../src/core/budgets/contract.ts'),
    ]);
    const budgets = await readOfOrganization<readonly Budget[]>(ctx, org, {
      file: async (app, { id }) => listBudgets(app, operatorOrganization(id), filter),
      server: async (server, { id: organizationId }) =>
        (await server.get(listBudgetsEndpoint, { query: { organizationId, filter } })).budgets,
    });
    ctx.output.result({ budgets }, () => {
      if (budgets.length === 0 && filter !== undefined)
        return ctx.output.info('No budget matches the filter');
      if (budgets.length === 0)
        return ctx.output.info('No budgets yet; create one with `spanledger budgets set`');
      ctx.output.table(budgetColumns, budgets);
      for (const note of notesOf(budgets)) ctx.output.warn(note);
    });
  },
});
