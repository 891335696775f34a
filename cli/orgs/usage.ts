import type { OrganizationRow } from '../../src/core/orgs/contract.ts';
import type { Usage } from '../../src/features/usage/contract.ts';
import { bytesText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import type { Column } from '../output.ts';
import { listRemoteOrganizations } from '../remote/find.ts';
import { percent } from '../report/figures.ts';
import { withApp } from '../session.ts';

type Row = Pick<OrganizationRow, 'id' | 'name'> &
  Pick<Usage, 'plan' | 'month' | 'used' | 'limit' | 'forecast'> & {
    readonly bytes: number;
    readonly bytesLimit: number;
  };

const columns: readonly Column<Row>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'name', value: ({ name }) => name },
  { header: 'plan', value: ({ plan }) => plan, fixed: true },
  { header: 'events', value: ({ used }) => used },
  { header: 'of limit', value: ({ used, limit }) => percent(limit === 0 ? 1 : used / limit) },
  { header: 'forecast', value: ({ forecast }) => forecast },
  { header: 'data', value: ({ bytes }) => ({ text: bytesText(bytes), align: 'right' }) },
];

const rowOf = ({ id, name }: { readonly id: string; readonly name: string }, usage: Usage): Row => {
  const { plan, month, used, limit, forecast, bytes } = usage;
  return { id, name, plan, month, used, limit, forecast, bytes: bytes.used, bytesLimit: bytes.limit };
};

export const orgsUsage = defineCommand({
  name: 'orgs usage',
  summary: 'What each organization has used of its month',
  examples: ['spanledger orgs usage', 'spanledger orgs usage --json'],
  run: async (ctx) => {
    const [{ listOrganizations }, { readUsage }, { usageEndpoint }] = await Promise.all([
      import('../../src/core/orgs/index.ts'),
      import('../../src/features/usage/index.ts'),
      import('../../src/features/usage/contract.ts'),
    ]);
    const rows = await withApp<readonly Row[]>(
      ctx,
      async (app) => {
        const organizations = await listOrganizations(app.ctx);
        const found: Row[] = [];
        for (const one of organizations) found.push(rowOf(one, await readUsage(app.ctx, one.id)));
        return found;
      },
      async (server) => {
        const found: Row[] = [];
        for (const one of await listRemoteOrganizations(server))
          found.push(rowOf(one, await server.get(usageEndpoint, { params: { id: one.id } })));
        return found;
      },
    );
    const organizations = rows.toSorted((a, b) => b.used - a.used);
    ctx.output.result({ organizations }, () => ctx.output.table(columns, organizations));
  },
});
