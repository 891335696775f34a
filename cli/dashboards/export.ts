import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { EXIT, UserError, usageError } from '../user-error.ts';

export const dashboardsExport = defineCommand({
  name: 'dashboards export',
  summary: 'Print a dashboard as JSON for `dashboards import`',
  args: { dashboard: { summary: 'Name or id of the dashboard' } },
  options: projectOption,
  examples: [
    "spanledger dashboards export 'Costs by release' >costs.json",
    'spanledger dashboards export dsh_0198c2f5a1b47c3e9d2f6b8a4e5c7d90 -p assistant',
  ],
  run: async (ctx) => {
    const asked = ctx.args.dashboard;
    const { listDashboards } = await import('../../src/features/dashboards/index.ts');
    const found = await withApp(ctx, async ({ ctx: app }) => {
      const { id } = await chooseProject(app, ctx.options.project);
      const all = await listDashboards(app, { projectId: id, userId: null });
      return all.filter((one) => one.id === asked || one.name === asked);
    });
    const [first] = found;
    if (found.length > 1)
      throw usageError(
        `${found.length} dashboards are called ${asked}`,
        'Pass an id of `spanledger dashboards list`',
      );
    if (first === undefined)
      throw new UserError({
        what: `There is no dashboard ${asked}`,
        fix: 'See `spanledger dashboards list`',
        code: 'not_found',
        exit: EXIT.notFound,
      });
    const { name, shared, tiles } = first;
    const dashboard = { name, shared, tiles };
    ctx.output.result(dashboard, () => ctx.output.raw(`${JSON.stringify(dashboard, null, 2)}\n`));
  },
});
