import type { OrganizationRow } from '../../src/core/orgs/contract.ts';
import { bytesText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import type { Column } from '../output.ts';
import { listRemoteOrganizations } from '../remote/find.ts';
import { withApp } from '../session.ts';

const columns: readonly Column<OrganizationRow>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
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
    const [{ listOrganizations }, { getOrganizationEndpoint }] = await Promise.all([
      import('../../src/core/orgs/index.ts'),
      import('../../src/core/orgs/contract.ts'),
    ]);
    const organizations = await withApp<readonly OrganizationRow[]>(
      ctx,
      (app) => listOrganizations(app.ctx),
      async (server) =>
        Promise.all(
          (await listRemoteOrganizations(server)).map(({ id }) =>
            server.get(getOrganizationEndpoint, { params: { id } }),
          ),
        ),
    );
    ctx.output.result({ organizations }, () => ctx.output.table(columns, organizations));
  },
});
