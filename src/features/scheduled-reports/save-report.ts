import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { commitChange } from '../../core/audit/index.ts';
import { listChannels } from '../../core/deliveries/index.ts';
import { listMembers } from '../../core/orgs/index.ts';
import { listProjects } from '../../core/projects/index.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { badRequest, conflict, notFound } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import type { ReportInput, ScheduledReport } from './contract.ts';
import { findReport } from './queries.ts';
import { nextRun } from './schedule/next-run.ts';
import { reportSubject } from './subject.ts';
import { reportUnsubscribes, scheduledReports } from './table.ts';

const MAX_REPORTS = 50;

type Saved = {
  readonly organizationId: string;
  /** Null for a new one. */
  readonly id: string | null;
  readonly input: ReportInput;
};

/**
 * Writes a report: a new one, or in the place of `id`.
 * @throws AppError 404 for a foreign id; 400 for a project, member or channel of others; 409 for a taken name and for one
 *   report too many
 */
export async function saveReport(
  ctx: Ctx,
  actor: Actor,
  { organizationId, id, input }: Saved,
): Promise<ScheduledReport> {
  await checkReferences(ctx, organizationId, input);
  const now = ctx.now();
  const made = id ?? newId('rep', now);
  const values = { ...input, nextAt: new Date(nextRun(input, now)), updatedAt: new Date(now) };
  const count = sql`(SELECT count(*) FROM scheduled_reports WHERE organization_id = ${organizationId})`;
  const statement =
    id === null
      ? ctx.db.sql.insert(scheduledReports).values({
          ...values,
          // Null, which no report can have as its id, when there are too many.
          id: sql<string>`(SELECT ${made} WHERE ${count} < ${MAX_REPORTS})`,
          organizationId,
          createdBy: actor.kind === 'user' ? actor.userId : null,
          createdAt: new Date(now),
        })
      : ctx.db.sql.update(scheduledReports).set(values).where(isOne(organizationId, id));
  await commit(ctx, actor, {
    organizationId,
    projectId: input.projectId,
    id: made,
    action: id === null ? 'created' : 'updated',
    name: input.name,
    statement,
  });
  return findReport(ctx, organizationId, made);
}

const isOne = (organizationId: string, id: string) =>
  and(eq(scheduledReports.id, id), eq(scheduledReports.organizationId, organizationId));

type Of = { readonly organizationId: string; readonly id: string };

/** Pauses or resumes a report; a resumed one is sent at its next time. Throws AppError 404. */
export async function pauseReport(
  ctx: Ctx,
  actor: Actor,
  { organizationId, id, paused }: Of & { readonly paused: boolean },
): Promise<ScheduledReport> {
  const report = await findReport(ctx, organizationId, id);
  const now = ctx.now();
  await commit(ctx, actor, {
    organizationId,
    projectId: report.projectId,
    id,
    action: 'updated',
    statement: ctx.db.sql
      .update(scheduledReports)
      .set({ paused, nextAt: new Date(nextRun(report, now)), updatedAt: new Date(now) })
      .where(isOne(organizationId, id)),
  });
  return findReport(ctx, organizationId, id);
}

/** Deletes a report with its runs. Throws AppError 404. */
export async function deleteReport(ctx: Ctx, actor: Actor, { organizationId, id }: Of): Promise<void> {
  const { projectId } = await findReport(ctx, organizationId, id);
  const statement = ctx.db.sql.delete(scheduledReports).where(isOne(organizationId, id));
  await commit(ctx, actor, { organizationId, projectId, id, action: 'deleted', statement });
}

/** Unsubscribes a person from the mails of a report, or subscribes them again. */
export async function subscribe(
  ctx: Ctx,
  actor: Actor,
  { organizationId, id, userId, subscribed }: Of & { readonly userId: string; readonly subscribed: boolean },
): Promise<void> {
  const statement = subscribed
    ? ctx.db.sql
        .delete(reportUnsubscribes)
        .where(and(eq(reportUnsubscribes.reportId, id), eq(reportUnsubscribes.userId, userId)))
    : ctx.db.sql
        .insert(reportUnsubscribes)
        .values({ organizationId, reportId: id, userId, at: new Date(ctx.now()) })
        .onConflictDoNothing();
  await commitChange(ctx, actor, {
    statements: [statement],
    audit: [
      {
        action: `scheduled_report.${subscribed ? 'subscribed' : 'unsubscribed'}`,
        organizationId,
        subject: { of: reportSubject, id },
      },
    ],
  });
}

/** @throws AppError 400 */
async function checkReferences(
  ctx: Ctx,
  organizationId: string,
  { projectId, memberIds, channelIds }: ReportInput,
): Promise<void> {
  const known = async (ids: readonly string[], list: () => Promise<readonly string[]>, what: string) => {
    if (ids.length === 0) return;
    const all = await list();
    const unknown = ids.find((id) => !all.includes(id));
    if (unknown !== undefined) throw badRequest(`${what} ${unknown}`);
  };
  await known(
    projectId === null ? [] : [projectId],
    async () => (await listProjects(ctx, organizationId)).map(({ id }) => id),
    'projectId: the organization has no project',
  );
  await known(
    memberIds,
    async () => (await listMembers(ctx, organizationId)).map(({ userId }) => userId),
    'memberIds: the organization has no member',
  );
  await known(
    channelIds,
    async () => (await listChannels(ctx, organizationId)).map(({ id }) => id),
    'channelIds: the organization has no channel',
  );
}

type Change = {
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly id: string;
  readonly action: 'created' | 'updated' | 'deleted';
  readonly name?: string;
  readonly statement: Parameters<typeof commitChange>[2]['statements'][number];
};

async function commit(
  ctx: Ctx,
  actor: Actor,
  { organizationId, projectId, id, action, name, statement }: Change,
): Promise<void> {
  try {
    const [changed] = await commitChange(ctx, actor, {
      statements: [statement],
      audit: [
        {
          action: `scheduled_report.${action}`,
          organizationId,
          projectId,
          subject: { of: reportSubject, id },
        },
      ],
    });
    if (changed === 0) throw notFound(`There is no scheduled report ${id}`);
  } catch (error) {
    const broken = brokenConstraint(error);
    if (broken?.columns.includes('scheduled_reports.name'))
      throw conflict(`There is a scheduled report ${name} already`);
    if (broken?.columns.includes('scheduled_reports.id'))
      throw conflict(`An organization has at most ${MAX_REPORTS} scheduled reports; delete one first`);
    throw error;
  }
}
