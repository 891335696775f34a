import type { Dashboard } from '../../src/features/dashboards/contract.ts';
import { defineCommand } from '../command.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';

const columns: readonly Column<Dashboard>[] = [
  { header: 'dashboard', value: ({ name }) => name },
  { header: 'tiles', value: ({ tiles }) => String(tiles.length) },
  { header: 'seen by', value: ({ shared, author }) => (shared ? 'all' : (author ?? 'nobody')) },
  { header: 'author', value: ({ author }) => author },
  { header: 'changed', value: ({ updatedAt }) => shortTime(Date.parse(updatedAt)) },
  { header: 'id', value: ({ id }) => id },
];

export const dashboardsList = defineCommand({
  name: 'dashboards list',
  summary: 'List the dashboards of a project, private ones included',
  options: projectOption,
  examples: ['spanledger dashboards list', 'spanledger dashboards list -p assistant --json'],
  run: async (ctx) => {
    const { listDashboards } = await import('../../src/features/dashboards/index.ts');
    const dashboards = await withApp(ctx, async ({ ctx: app }) => {
      const { id } = await chooseProject(app, ctx.options.project);
      return listDashboards(app, { projectId: id, userId: null });
    });
    ctx.output.result({ dashboards }, () => {
      if (dashboards.length === 0)
        return ctx.output.info('No dashboards yet; create one on the Dashboards page, or import one');
      ctx.output.table(columns, dashboards);
    });
  },
});
