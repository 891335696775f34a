import type { ProjectRow } from '../../src/core/projects/contract.ts';
import { defineCommand } from '../command.ts';
import type { Column } from '../output.ts';
import { chooseAmong, listRemoteOrganizations, listRemoteProjects } from '../remote/find.ts';
import { withApp } from '../session.ts';

/** What a file and a server both know of a project. */
type Listed = Pick<ProjectRow, 'id' | 'name' | 'organizationId' | 'organizationName' | 'createdAt'>;

const columns: readonly Column<Listed>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
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
    const { org } = ctx.options;
    const projects = await withApp<readonly Listed[]>(
      ctx,
      (app) => listProjects(app.ctx, org),
      async (server) => {
        const found = await listRemoteProjects(server);
        if (org === undefined) return found;
        const { id } = await chooseAmong('organization', org, await listRemoteOrganizations(server));
        return found.filter(({ organizationId }) => organizationId === id);
      },
    );
    ctx.output.result({ projects }, () => ctx.output.table(columns, projects));
  },
});
