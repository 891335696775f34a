import { and, asc, desc, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { deliveriesOfMessages } from '../../core/deliveries/index.ts';
import { listMembers } from '../../core/orgs/index.ts';
import { members, organizations } from '../../core/orgs/table.ts';
import { projects } from '../../core/projects/table.ts';
import { notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { OwnReport, ReportRun, ScheduledReport } from './contract.ts';
import { messageIdOf } from './run/message-id.ts';
import { reportMails, reportRuns, reportUnsubscribes, scheduledReports } from './table.ts';

export type ReportRow = typeof scheduledReports.$inferSelect;
export type RunRow = typeof reportRuns.$inferSelect;

const MOST_RUNS = 20;

/** An organization's reports by name. */
export async function listReports(ctx: Ctx, organizationId: string): Promise<ScheduledReport[]> {
  const rows = await ctx.db.sql
    .select()
    .from(scheduledReports)
    .where(eq(scheduledReports.organizationId, organizationId))
    .orderBy(asc(scheduledReports.name), asc(scheduledReports.id));
  return withRecipients(ctx, organizationId, rows);
}

/** One of an organization's reports. Throws AppError 404. */
export async function findReport(ctx: Ctx, organizationId: string, id: string): Promise<ScheduledReport> {
  const [report] = await withRecipients(ctx, organizationId, [await findReportRow(ctx, id, organizationId)]);
  return report as ScheduledReport;
}

/** One as it is stored; of any organization where none is given. Throws AppError 404. */
export async function findReportRow(ctx: Ctx, id: string, organizationId?: string): Promise<ReportRow> {
  const of = organizationId === undefined ? undefined : eq(scheduledReports.organizationId, organizationId);
  const [row] = await ctx.db.sql
    .select()
    .from(scheduledReports)
    .where(and(eq(scheduledReports.id, id), of));
  if (row === undefined) throw notFound(`There is no scheduled report ${id}`);
  return row;
}

/** Reports that are due, of organizations and projects that exist. */
export async function listDueReports(ctx: Ctx): Promise<ReportRow[]> {
  const rows = await ctx.db.sql
    .select({ report: scheduledReports })
    .from(scheduledReports)
    .innerJoin(organizations, eq(organizations.id, scheduledReports.organizationId))
    .leftJoin(projects, eq(projects.id, scheduledReports.projectId))
    .where(
      and(
        eq(scheduledReports.paused, false),
        lte(scheduledReports.nextAt, new Date(ctx.now())),
        isNull(organizations.deletedAt),
        isNull(projects.deletedAt),
      ),
    )
    .orderBy(asc(scheduledReports.nextAt), asc(scheduledReports.id));
  return rows.map(({ report }) => report);
}

/** The newest runs of a report with what became of them. */
export async function listRuns(ctx: Ctx, { id, organizationId }: ReportRow): Promise<ReportRun[]> {
  const runs = await ctx.db.sql
    .select()
    .from(reportRuns)
    .where(eq(reportRuns.reportId, id))
    .orderBy(desc(reportRuns.id))
    .limit(MOST_RUNS);
  return withOutcomes(ctx, organizationId, runs);
}

/** One run with what became of it. Throws AppError 404. */
export async function findRun(ctx: Ctx, organizationId: string, id: string): Promise<ReportRun> {
  const rows = await ctx.db.sql
    .select()
    .from(reportRuns)
    .where(and(eq(reportRuns.id, id), eq(reportRuns.organizationId, organizationId)));
  const [run] = await withOutcomes(ctx, organizationId, rows);
  if (run === undefined) throw notFound(`There is no run ${id}`);
  return run;
}

/** The reports that are mailed to a person, of organizations of which they are a member. */
export async function listOwnReports(ctx: Ctx, userId: string): Promise<OwnReport[]> {
  const rows = await ctx.db.sql
    .select({
      id: scheduledReports.id,
      name: scheduledReports.name,
      organization: organizations.name,
      unsubscribedAt: reportUnsubscribes.at,
    })
    .from(scheduledReports)
    .innerJoin(organizations, eq(organizations.id, scheduledReports.organizationId))
    .innerJoin(
      members,
      and(eq(members.organizationId, scheduledReports.organizationId), eq(members.userId, userId)),
    )
    .leftJoin(
      reportUnsubscribes,
      and(eq(reportUnsubscribes.reportId, scheduledReports.id), eq(reportUnsubscribes.userId, userId)),
    )
    .where(
      and(
        isNull(organizations.deletedAt),
        sql`EXISTS (SELECT 1 FROM json_each(${scheduledReports.memberIds}) WHERE value = ${userId})`,
      ),
    )
    .orderBy(asc(scheduledReports.name), asc(scheduledReports.id));
  return rows.map(({ unsubscribedAt, ...report }) => ({ ...report, subscribed: unsubscribedAt === null }));
}

async function withRecipients(
  ctx: Ctx,
  organizationId: string,
  rows: readonly ReportRow[],
): Promise<ScheduledReport[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const people = new Map((await listMembers(ctx, organizationId)).map((person) => [person.userId, person]));
  const left = await ctx.db.sql
    .select()
    .from(reportUnsubscribes)
    .where(inArray(reportUnsubscribes.reportId, ids));
  const last = await ctx.db.sql
    .select({ id: reportRuns.reportId, at: sql<number>`max(${reportRuns.at})` })
    .from(reportRuns)
    .where(inArray(reportRuns.reportId, ids))
    .groupBy(reportRuns.reportId);
  return rows.map((row) => {
    const lastAt = last.find(({ id }) => id === row.id)?.at;
    return toReport(row, {
      lastRunAt: lastAt === undefined ? null : formatInstant(lastAt),
      recipients: row.memberIds.map((userId) => {
        const at = left.find((one) => one.reportId === row.id && one.userId === userId)?.at;
        return {
          userId,
          name: people.get(userId)?.name ?? null,
          email: people.get(userId)?.email ?? null,
          unsubscribedAt: at === undefined ? null : formatInstant(at.getTime()),
        };
      }),
    });
  });
}

function toReport(
  { memberIds: _, createdBy: __, ...row }: ReportRow,
  more: Pick<ScheduledReport, 'recipients' | 'lastRunAt'>,
): ScheduledReport {
  return {
    ...row,
    ...more,
    groupBy: [...row.groupBy],
    channelIds: [...row.channelIds],
    nextAt: row.paused ? null : formatInstant(row.nextAt.getTime()),
    createdAt: formatInstant(row.createdAt.getTime()),
    updatedAt: formatInstant(row.updatedAt.getTime()),
  };
}

async function withOutcomes(ctx: Ctx, organizationId: string, runs: readonly RunRow[]): Promise<ReportRun[]> {
  if (runs.length === 0) return [];
  const ids = runs.map(({ id }) => id);
  const emails = new Map(
    (await listMembers(ctx, organizationId)).map(({ userId, email }) => [userId, email]),
  );
  const mails = await ctx.db.sql.select().from(reportMails).where(inArray(reportMails.runId, ids));
  const sent = await deliveriesOfMessages(ctx, organizationId, ids.map(messageIdOf));
  return runs.map(({ id, trigger, at, figures }) => ({
    id,
    trigger,
    at: formatInstant(at.getTime()),
    costUsd: figures.calls.current === 0 ? 0 : figures.cost.current,
    unpriced: figures.unpriced,
    start: figures.start,
    end: figures.end,
    mails: mails
      .filter(({ runId }) => runId === id)
      .map(({ userId, status, error, finishedAt }) => ({
        userId,
        email: emails.get(userId) ?? null,
        status,
        error,
        finishedAt: finishedAt === null ? null : formatInstant(finishedAt.getTime()),
      })),
    deliveries: sent
      .filter(({ messageId }) => messageId === messageIdOf(id))
      .map(({ id: delivery, channel, status }) => ({ id: delivery, channel, status })),
  }));
}
