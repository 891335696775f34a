import type { OrganizationRow } from '../../src/core/orgs/contract.ts';
import { bytesText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import type { Column } from '../output.ts';
import { withApp } from '../session.ts';

const columns: readonly Column<OrganizationRow>[] = [
  { header: 'id', value: ({ id }) => id, fixed: true },
  { header: 'name', value: ({ name }) => name },
  { header: 'plan', value: ({ plan }) => plan, fixed: true },
  { header: 'events/month', value: ({ monthlyEvents }) => monthlyEvents },
  { header: 'data/month', value: ({ monthlyBytes }) => ({ text: bytesText(monthlyBytes), align: 'right' }) },
  { header: 'retention', value: ({ retentionDays }) => ({ text: `${retentionDays} d`, align: 'right' }) },
];

export const orgsList = defineCommand({
  name: 'orgs list',
  summary: 'List organizations with their plans and limits',
  examples: ['spanledger orgs list'],
  run: async (ctx) => {
    const { listOrganizations } = await import('../../src/core/orgs/index.ts');
    const organizations = await withApp(ctx, (app) => listOrganizations(app.ctx));
    ctx.output.result({ organizations }, () => ctx.output.table(columns, organizations));
  },
});
