import type { ProjectRow } from '../../src/core/projects/contract.ts';
import { defineCommand } from '../command.ts';
import type { Column } from '../output.ts';
import { withApp } from '../session.ts';

const columns: readonly Column<ProjectRow>[] = [
  { header: 'id', value: ({ id }) => id, fixed: true },
  { header: 'name', value: ({ name }) => name },
  { header: 'organization', value: ({ organizationName }) => organizationName },
  {
    header: 'created',
    value: ({ createdAt }) => ({ text: createdAt.slice(0, 10), tone: 'dim' }),
    fixed: true,
  },
];

export const projectsList = defineCommand({
  name: 'projects list',
  summary: 'List projects',
  options: { org: { value: 'ORG', summary: 'Only projects of this organization (id or name)', short: 'o' } },
  examples: ['spanledger projects list', 'spanledger projects list --org acme'],
  run: async (ctx) => {
    const { listProjects } = await import('../../src/core/projects/index.ts');
    const projects = await withApp(ctx, (app) => listProjects(app.ctx, ctx.options.org));
    ctx.output.result({ projects }, () => ctx.output.table(columns, projects));
  },
});
