import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { withApp } from '../session.ts';
import { reportColumns } from './columns.ts';

export const scheduledReportsList = defineCommand({
  name: 'scheduled-reports list',
  summary: 'List the reports that are sent every day, week or month',
  options: orgOption,
  examples: ['spanledger scheduled-reports list', 'spanledger scheduled-reports list --org acme --json'],
  run: async (ctx) => {
    const { listReports } = await import('../../src/features/scheduled-reports/index.ts');
    const { findOrganization } = await import('../../src/core/orgs/index.ts');
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const reports = await withApp(ctx, async (app) =>
      listReports(app.ctx, (await findOrganization(app.ctx, organization)).id),
    );
    ctx.output.result({ reports }, () => {
      ctx.output.table(reportColumns, reports);
      if (reports.length === 0)
        ctx.output.info('No scheduled reports yet; create one with `spanledger scheduled-reports create`');
    });
  },
});
