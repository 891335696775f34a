import { follow, type Module } from '../../module.ts';
import { createReportAction, deleteReportAction, pauseReportAction, sendReportAction } from './actions.ts';
import { reportRoutes } from './routes.ts';
import { mailRun } from './run/mail-run.ts';
import { sendDueReports } from './run/send-due.ts';
import { reportMailRequested } from './run/write-run.ts';

const ofOrganization = { scope: 'organization', by: 'organization_id' } as const;

/** Costs that people and channels get every day, week or month. */
export const scheduledReportsModule: Module = {
  name: 'scheduled-reports',
  // Rows that refer to others come first, in the order of a purge.
  tables: [
    { name: 'scheduled_report_mails', ...ofOrganization, key: ['run_id', 'user_id'] },
    {
      name: 'scheduled_report_runs',
      ...ofOrganization,
      alsoBy: 'project_id',
      key: ['id'],
      retention: { ends: 'at', keptDays: 400 },
      // The user may be a group, or the value of a tag.
      eraseUser: { deleteWhere: 'EXISTS (SELECT 1 FROM json_tree(figures) WHERE atom = ?)' },
    },
    { name: 'scheduled_report_unsubscribes', ...ofOrganization, key: ['report_id', 'user_id'] },
    { name: 'scheduled_reports', ...ofOrganization, alsoBy: 'project_id', key: ['id'] },
  ],
  routes: reportRoutes,
  actions: [createReportAction, pauseReportAction, sendReportAction, deleteReportAction],
  jobs: [sendDueReports],
  on: [follow(reportMailRequested, mailRun)],
};

export { createReportAction } from './actions.ts';
export { readFigures } from './figures/read-figures.ts';
export { findReport, findReportRow, listReports, listRuns } from './queries.ts';
export { periodBefore } from './schedule/next-run.ts';
