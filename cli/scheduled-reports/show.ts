import type { ReportRun } from '../../src/features/scheduled-reports/contract.ts';
import { costText } from '../../src/lib/reports/labels.ts';
import { defineCommand } from '../command.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { section } from '../report/pieces.ts';
import { withApp } from '../session.ts';
import { reportColumns } from './columns.ts';

/** `2 sent, 1 failed`. */
const outcomeOf = ({ mails, deliveries }: ReportRun): string =>
  [...Map.groupBy([...mails, ...deliveries], ({ status }) => status)]
    .map(([status, all]) => `${all.length} ${status}`)
    .join(', ');

/** One run per row; times in UTC. */
export const runColumns: readonly Column<ReportRun>[] = [
  { header: 'made', value: ({ at }) => shortTime(Date.parse(at)) },
  { header: 'by', value: ({ trigger }) => trigger },
  { header: 'from', value: ({ start }) => shortTime(Date.parse(start)) },
  { header: 'to', value: ({ end }) => shortTime(Date.parse(end)) },
  { header: 'cost', value: ({ costUsd, unpriced }) => costText({ current: costUsd }, unpriced) },
  { header: 'outcome', value: outcomeOf },
];

export const scheduledReportsShow = defineCommand({
  name: 'scheduled-reports show',
  summary: 'Show a scheduled report as it would be sent now, and its last runs',
  args: { id: { summary: 'Id of the report, or its start', id: 'report' } },
  examples: [
    'spanledger scheduled-reports show rep_0198c2f5',
    'spanledger scheduled-reports show rep_0198c2f5 --json',
  ],
  run: async (ctx) => {
    const { args, output } = ctx;
    const [reports, { printFigures }] = await Promise.all([
      import('../../src/features/scheduled-reports/index.ts'),
      import('./show-figures.ts'),
    ]);
    const doc = await withApp(ctx, async ({ ctx: app }) => {
      const row = await reports.findReportRow(app, args.id);
      return {
        report: await reports.findReport(app, row.organizationId, row.id),
        preview: await reports.readFigures(app, row, reports.periodBefore(row, app.now())),
        runs: await reports.listRuns(app, row),
      };
    });
    output.result(doc, () => {
      output.table(reportColumns, [doc.report]);
      if (doc.preview !== null) printFigures(output, doc.preview);
      if (doc.runs.length === 0) return;
      section(output, 'Last runs', 'UTC');
      output.table(runColumns, doc.runs);
    });
  },
});
