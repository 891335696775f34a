import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import { conflict } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import type { ReportRun } from '../contract.ts';
import { readFigures } from '../figures/read-figures.ts';
import { findRun, type ReportRow } from '../queries.ts';
import { periodBefore } from '../schedule/next-run.ts';
import { reportSubject } from '../subject.ts';
import { announceRuns, runStatements } from './write-run.ts';

/**
 * Sends the report of the last whole period now, also a paused one. The schedule stays.
 * @throws AppError 409 if there is no project to report on, or the report was deleted meanwhile
 */
export async function sendNow(ctx: Ctx, actor: Actor, report: ReportRow): Promise<ReportRun> {
  const { organizationId, projectId } = report;
  const period = periodBefore(report, ctx.now());
  const figures = await readFigures(ctx, report, period);
  if (figures === null) throw conflict('There is no project to report on');
  const { id, statements } = runStatements(ctx, { report, trigger: 'person', period, figures });
  const [written] = await commitChange(ctx, actor, {
    statements,
    audit: [
      {
        action: 'scheduled_report.sent',
        organizationId,
        projectId,
        subject: { of: reportSubject, id: report.id },
      },
    ],
  });
  if (written === 0) throw conflict('The report was deleted meanwhile');
  announceRuns(ctx);
  return findRun(ctx, organizationId, id);
}
