import { and, eq, exists, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type Ctx, defineDurableEvent } from '../../../context.ts';
import { notificationStatement, notificationsWritten } from '../../../core/deliveries/index.ts';
import { outboxStatement, outboxWritten } from '../../../core/outbox/index.ts';
import { newId } from '../../../db/new-id.ts';
import type { ReportFigures } from '../figures/contract.ts';
import type { Period } from '../figures/read-figures.ts';
import type { ReportRow } from '../queries.ts';
import { reportMails, reportRuns } from '../table.ts';
import { messageIdOf } from './message-id.ts';
import { toNotification } from './to-notification.ts';

/** A mail of a run to one person, which is written with the run. */
export const reportMailRequested = defineDurableEvent<{ readonly runId: string; readonly userId: string }>(
  'scheduled-reports.mail',
);

export type NewRun = {
  readonly report: ReportRow;
  readonly trigger: 'schedule' | 'person';
  readonly period: Period;
  readonly figures: ReportFigures;
};

/**
 * Statements that write a run with its mails and notifications. A run of the schedule is written only if the report is
 * still due at the time for which it was read, and its period was not reported before; then nothing else is written.
 */
export function runStatements(
  ctx: Ctx,
  { report, trigger, period, figures }: NewRun,
): { readonly id: string; readonly statements: [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]] } {
  const now = ctx.now();
  const id = newId('srr', now);
  const { id: reportId, organizationId, projectId, memberIds, channelIds, name } = report;
  const stillDue = trigger === 'person' ? sql`1` : sql`next_at = ${report.nextAt.getTime()} AND paused = 0`;
  const run = ctx.db.sql
    .insert(reportRuns)
    .select(
      sql`SELECT ${id}, organization_id, project_id, id, ${trigger}, ${period.from}, ${period.to}, ${JSON.stringify(figures)}, ${now}
        FROM scheduled_reports WHERE id = ${reportId} AND ${stillDue}`,
    )
    .onConflictDoNothing();
  const isWritten = exists(
    ctx.db.sql.select({ id: reportRuns.id }).from(reportRuns).where(eq(reportRuns.id, id)),
  );
  const mails = memberIds.flatMap((userId) => {
    const isWanted = sql`${isWritten} AND NOT EXISTS (SELECT 1 FROM scheduled_report_unsubscribes
      WHERE report_id = ${reportId} AND user_id = ${userId})`;
    const isMail = exists(
      ctx.db.sql
        .select({ id: reportMails.runId })
        .from(reportMails)
        .where(and(eq(reportMails.runId, id), eq(reportMails.userId, userId))),
    );
    return [
      ctx.db.sql
        .insert(reportMails)
        .select(sql`SELECT ${organizationId}, ${id}, ${userId}, 'pending', NULL, NULL WHERE ${isWanted}`),
      outboxStatement(ctx, reportMailRequested, { runId: id, userId }, isMail),
    ];
  });
  const toChannels =
    channelIds.length === 0
      ? []
      : [
          notificationStatement(
            ctx,
            toNotification({
              organizationId,
              projectId,
              reportId,
              name,
              messageId: messageIdOf(id),
              channelIds,
              figures,
            }),
            isWritten,
          ),
        ];
  return { id, statements: [run, ...mails, ...toChannels] };
}

/** Starts the mails and deliveries of runs that were committed. */
export function announceRuns(ctx: Ctx): void {
  ctx.emit(outboxWritten);
  ctx.emit(notificationsWritten);
}
