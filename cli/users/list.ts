import type { MemberRow } from '../../src/core/orgs/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import type { Column } from '../output.ts';
import { withApp } from '../session.ts';

const columns: readonly Column<MemberRow>[] = [
  { header: 'e-mail', value: ({ email }) => email },
  { header: 'name', value: ({ name }) => name },
  { header: 'role', value: ({ role }) => role, fixed: true },
  { header: '2nd factor', value: ({ secondFactor }) => (secondFactor === true ? 'yes' : 'no'), fixed: true },
  { header: 'since', value: ({ joinedAt }) => ({ text: joinedAt.slice(0, 10), tone: 'dim' }), fixed: true },
];

export const usersList = defineCommand({
  name: 'users list',
  summary: 'List the people of an organization',
  options: { org: { value: 'ORG', summary: 'Id or name; optional if there is only one', short: 'o' } },
  examples: ['spanledger users list', 'spanledger users list --org Acme --json'],
  run: async (ctx) => {
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const { findOrganization, listMembers } = await import('../../src/core/orgs/index.ts');
    const users = await withApp(ctx, async (app) =>
      listMembers(app.ctx, (await findOrganization(app.ctx, organization)).id),
    );
    ctx.output.result({ users }, () => ctx.output.table(columns, users));
  },
});
