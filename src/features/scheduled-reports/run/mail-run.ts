import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { authOf } from '../../../core/auth/index.ts';
import { mailOf, publicUrl } from '../../../core/mail/index.ts';
import { listMembers } from '../../../core/orgs/index.ts';
import { organizations } from '../../../core/orgs/table.ts';
import { AppError } from '../../../errors.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Followed } from '../../../module.ts';
import { reportMails, reportRuns, reportUnsubscribes, scheduledReports } from '../table.ts';
import { toReportMail } from './to-mail.ts';

type Mailed = { readonly runId: string; readonly userId: string };

/** A report that is later than this is given up. */
const MAX_LATE_MS = DAY_MS;

/**
 * Mails a run to one person, if they may still see it. The mail has the same id at each attempt. A mail that arrived just
 * before a crash is sent again, and mail programs show it once.
 */
export async function mailRun(ctx: Ctx, mailed: Mailed): Promise<Followed> {
  const found = await readRun(ctx, mailed);
  if (found?.mail.status !== 'pending') return 'done';
  const { run, report, organization } = found;
  const reason = await reasonToSkip(ctx, report, mailed.userId);
  if (reason !== null) return finish(ctx, mailed, 'skipped', reason);
  const email = (await listMembers(ctx, report.organizationId)).find(
    ({ userId }) => userId === mailed.userId,
  )?.email;
  if (email === undefined) return finish(ctx, mailed, 'skipped', 'Not a member any more');
  const mail = mailOf(ctx);
  if (mail === null)
    return finish(ctx, mailed, 'failed', 'The server sends no mail. The operator can set SMTP_URL');
  if (ctx.now() - run.at.getTime() > MAX_LATE_MS)
    return finish(ctx, mailed, 'failed', 'The mail server did not take the mail for a day');
  const text = toReportMail(run.figures, {
    name: report.name,
    organization: organization.name,
    origin: publicUrl(ctx),
  });
  try {
    const refusal = await mail.deliver({ ...text, to: email, id: `${mailed.runId}.${mailed.userId}` });
    if (refusal !== null)
      return finish(ctx, mailed, 'failed', `The mail server refused the mail (${refusal})`);
  } catch (error) {
    await update(ctx, mailed, { error: 'The mail server did not take the mail yet' });
    throw error;
  }
  return finish(ctx, mailed, 'sent', null);
}

const isOne = ({ runId, userId }: Mailed) =>
  and(eq(reportMails.runId, runId), eq(reportMails.userId, userId));

/** Undefined if the run, its report or its project was deleted. */
async function readRun(ctx: Ctx, mailed: Mailed) {
  const [found] = await ctx.db.sql
    .select({ mail: reportMails, run: reportRuns, report: scheduledReports, organization: organizations })
    .from(reportMails)
    .innerJoin(reportRuns, eq(reportRuns.id, reportMails.runId))
    .innerJoin(scheduledReports, eq(scheduledReports.id, reportRuns.reportId))
    .innerJoin(organizations, eq(organizations.id, reportRuns.organizationId))
    .where(isOne(mailed));
  return found;
}

type Report = typeof scheduledReports.$inferSelect;

/** Why a person must not get the mail: roles and rules of the organization may have changed since the run. */
async function reasonToSkip(ctx: Ctx, report: Report, userId: string): Promise<string | null> {
  const [left] = await ctx.db.sql
    .select({ at: reportUnsubscribes.at })
    .from(reportUnsubscribes)
    .where(and(eq(reportUnsubscribes.reportId, report.id), eq(reportUnsubscribes.userId, userId)));
  if (left !== undefined) return 'Unsubscribed';
  if (!report.memberIds.includes(userId)) return 'Not a recipient any more';
  try {
    const role = await authOf(ctx).sessions.roleIn(userId, report.organizationId);
    return role === null ? 'Not a member any more' : null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

async function finish(
  ctx: Ctx,
  mailed: Mailed,
  status: 'sent' | 'failed' | 'skipped',
  error: string | null,
): Promise<Followed> {
  await update(ctx, mailed, { status, error, finishedAt: new Date(ctx.now()) });
  return 'done';
}

async function update(
  ctx: Ctx,
  mailed: Mailed,
  change: Partial<typeof reportMails.$inferInsert>,
): Promise<void> {
  await ctx.db.sql.update(reportMails).set(change).where(isOne(mailed));
}
