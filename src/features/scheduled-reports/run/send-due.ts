import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import type { Job } from '../../../module.ts';
import { readFigures } from '../figures/read-figures.ts';
import { listDueReports, type ReportRow } from '../queries.ts';
import { lastRun, nextRun, periodBefore } from '../schedule/next-run.ts';
import { scheduledReports } from '../table.ts';
import { announceRuns, runStatements } from './write-run.ts';

/** Makes the reports that are due. Of the times that passed while no server ran, only the newest is made up for. */
export const sendDueReports: Job = {
  name: 'scheduled_reports.send',
  summary: 'Make the scheduled reports that are due, and hand them to mail and channels',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    let [sent, failed] = [0, 0];
    for (const report of await listDueReports(ctx)) {
      signal.throwIfAborted();
      try {
        if (await sendDue(ctx, report)) sent++;
      } catch (error) {
        failed++;
        ctx.log.error({ err: error, report: report.id }, 'a scheduled report failed; it is tried again');
      }
    }
    return { ...(sent > 0 && { sent }), ...(failed > 0 && { failed }) };
  },
};

/** One transaction holds the run, its mails and notifications, and the next time; so a crash repeats none of them. */
async function sendDue(ctx: Ctx, report: ReportRow): Promise<boolean> {
  const now = ctx.now();
  const period = periodBefore(report, lastRun(report, now));
  const figures = await readFigures(ctx, report, period);
  const moveOn = ctx.db.sql
    .update(scheduledReports)
    .set({ nextAt: new Date(nextRun(report, now)) })
    .where(and(eq(scheduledReports.id, report.id), eq(scheduledReports.nextAt, report.nextAt)));
  if (figures === null) {
    await moveOn;
    return false;
  }
  const { statements } = runStatements(ctx, { report, trigger: 'schedule', period, figures });
  await ctx.db.sql.batch([...statements, moveOn]);
  announceRuns(ctx);
  return true;
}
