import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import { users } from '../../../core/orgs/table.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { badRequest, conflict, notFound } from '../../../errors.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import type { AlertEditor } from '../change/save-alert.ts';
import { findAlert } from '../queries.ts';
import { silenceSubject } from '../subject.ts';
import { alerts, silences } from '../table.ts';
import { MAX_SILENCES, type Silence, type SilenceInput } from './contract.ts';

const MAX_MS = 366 * DAY_MS;

/** A project's silences that have not ended, the one that ends first first; or the one with an id, ended or not. */
export async function listSilences(ctx: Ctx, projectId: string, id?: string): Promise<Silence[]> {
  const which = id === undefined ? gt(silences.until, new Date(ctx.now())) : eq(silences.id, id);
  const rows = await ctx.db.sql
    .select({ silence: silences, alert: alerts.name, author: users.name })
    .from(silences)
    .leftJoin(alerts, eq(alerts.id, silences.alertId))
    .leftJoin(users, eq(users.id, silences.createdBy))
    .where(and(eq(silences.projectId, projectId), which))
    .orderBy(asc(silences.until), asc(silences.id));
  return rows.map(({ silence, alert, author }) => ({
    id: silence.id,
    projectId: silence.projectId,
    alertId: silence.alertId,
    alert,
    group: silence.groupKey,
    until: formatInstant(silence.until.getTime()),
    reason: silence.reason,
    createdBy: author,
    createdAt: formatInstant(silence.createdAt.getTime()),
  }));
}

/** One silence of any project. Throws AppError 404. */
export async function findSilence(ctx: Ctx, id: string): Promise<typeof silences.$inferSelect> {
  const [row] = await ctx.db.sql.select().from(silences).where(eq(silences.id, id));
  if (row === undefined) throw notFound(`There is no silence ${id}`);
  return row;
}

/** Holds notifications back. Throws AppError 400 for an unknown alert and a time that is past, 409 for one too many. */
export async function createSilence(ctx: Ctx, by: AlertEditor, input: SilenceInput): Promise<Silence> {
  const { projectId, organizationId } = by.scope;
  const now = ctx.now();
  const until = Date.parse(input.until);
  if (until <= now) throw badRequest(`until: must be in the future; it is ${formatInstant(now)} now`);
  if (until > now + MAX_MS) throw badRequest('until: must be within a year; disable the alert instead');
  if (input.alertId !== undefined) await checkGroup(ctx, projectId, input.alertId, input.group);
  const id = newId('sil', now);
  const count = sql`(SELECT count(*) FROM silences WHERE project_id = ${projectId} AND until > ${now})`;
  // Null, which no silence can have as its id, when there are too many.
  const allowedId = sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_SILENCES})`;
  const insert = ctx.db.sql.insert(silences).values({
    id: allowedId,
    projectId,
    alertId: input.alertId ?? null,
    groupKey: input.group ?? null,
    until: new Date(until),
    reason: input.reason,
    createdBy: by.userId,
    createdAt: new Date(now),
  });
  try {
    await commitChange(ctx, by.actor, {
      statements: [insert],
      audit: [{ action: 'silence.created', organizationId, projectId, subject: { of: silenceSubject, id } }],
    });
  } catch (error) {
    if (!brokenConstraint(error)?.columns.includes('silences.id')) throw error;
    throw conflict(`A project has at most ${MAX_SILENCES} silences; end some first`);
  }
  const [silence] = await listSilences(ctx, projectId, id);
  if (silence === undefined) throw conflict('The silence was ended just now');
  return silence;
}

async function checkGroup(ctx: Ctx, projectId: string, id: string, group: string | undefined): Promise<void> {
  const { rule } = await findAlert(ctx, id, projectId);
  if (group !== undefined && rule.groupBy === null)
    throw badRequest('group: the alert has no groups; leave it out');
}

/** Ends a silence. Throws AppError 404. */
export async function deleteSilence(ctx: Ctx, by: AlertEditor, id: string): Promise<void> {
  const { projectId, organizationId } = by.scope;
  const [changed] = await commitChange(ctx, by.actor, {
    statements: [
      ctx.db.sql.delete(silences).where(and(eq(silences.id, id), eq(silences.projectId, projectId))),
    ],
    audit: [{ action: 'silence.deleted', organizationId, projectId, subject: { of: silenceSubject, id } }],
  });
  if (changed === 0) throw notFound(`There is no silence ${id}`);
}
