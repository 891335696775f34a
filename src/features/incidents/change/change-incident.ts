import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import { checkChannels, notificationsWritten } from '../../../core/deliveries/index.ts';
import { listMembers } from '../../../core/orgs/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { badRequest } from '../../../errors.ts';
import { parseInstant } from '../../../lib/time.ts';
import type { Actor } from '../../../module.ts';
import type { IncidentInput, IncidentSettings, IncidentUpdate, Incident as Shown } from '../contract.ts';
import { findIncident, readSettings, showIncident } from '../queries.ts';
import { incidentSettingsSubject } from '../subject.ts';
import { incidentSettings } from '../table.ts';
import type { Step } from './apply-person.ts';
import { changeIncidentOp, type IncidentChange, type IncidentOutcome } from './change-op.ts';

/** Who changes the incidents of a project. */
export type Editor = { readonly scope: ProjectScope; readonly actor: Actor };

/** Runs a change and has its notifications sent. */
export async function changeIncident(ctx: Ctx, change: IncidentChange): Promise<IncidentOutcome> {
  const outcome = await ctx.db.writer.write(changeIncidentOp, change);
  if (outcome.told) ctx.emit(notificationsWritten);
  return outcome;
}

/** Opens an incident by hand. Throws AppError 400 for a start in the future and a foreign channel. */
export async function openIncident(ctx: Ctx, by: Editor, input: IncidentInput): Promise<Shown> {
  const { scope, actor } = by;
  const { projectId, organizationId } = scope;
  const { title, severity, notes, measure = null, startedAt, dimensions = {}, channelIds } = input;
  await checkChannels(ctx, organizationId, channelIds);
  const now = ctx.now();
  const { id } = await changeIncident(ctx, {
    kind: 'open',
    now,
    actor,
    projectId,
    organizationId,
    title,
    severity,
    notes,
    measure,
    startedAt: (startedAt === undefined ? null : parseInstant(startedAt)) ?? now,
    dimensions: dimensions as Record<string, string>,
    channelIds,
  });
  return showIncident(ctx, await findIncident(ctx, projectId, id ?? ''));
}

/** Does a step. Throws AppError 404, and 409 where it does not fit. */
export async function stepIncident(ctx: Ctx, by: Editor, id: string, step: Step): Promise<Shown> {
  const { projectId } = by.scope;
  const found = await findIncident(ctx, projectId, id);
  await changeIncident(ctx, { kind: 'step', now: ctx.now(), actor: by.actor, projectId, id: found.id, step });
  return showIncident(ctx, await findIncident(ctx, projectId, found.id));
}

/** Changes what is given. Throws AppError 400 for an assignee who is not a member, 404, 409. */
export async function updateIncident(
  ctx: Ctx,
  by: Editor,
  id: string,
  { assigneeId, ...change }: IncidentUpdate,
): Promise<Shown> {
  const step = { kind: 'update', ...change } as const;
  if (assigneeId === undefined) return stepIncident(ctx, by, id, step);
  if (assigneeId === null) return stepIncident(ctx, by, id, { ...step, assigneeId });
  const members = await listMembers(ctx, by.scope.organizationId);
  const member = members.find(({ userId, email }) => userId === assigneeId || email === assigneeId);
  if (member === undefined)
    throw badRequest(
      `assigneeId: ${assigneeId} is no member of this organization; give the id or address of one`,
    );
  return stepIncident(ctx, by, id, { ...step, assigneeId: member.userId, assigneeName: member.name });
}

/** Merges an incident into another one; returns the other one. Throws AppError 404, 409. */
export async function mergeIncident(ctx: Ctx, by: Editor, id: string, into: string): Promise<Shown> {
  const { projectId } = by.scope;
  const [from, target] = [await findIncident(ctx, projectId, id), await findIncident(ctx, projectId, into)];
  const ids = { id: from.id, into: target.id };
  await changeIncident(ctx, { kind: 'merge', now: ctx.now(), actor: by.actor, projectId, ...ids });
  return showIncident(ctx, await findIncident(ctx, projectId, target.id));
}

/** Sets what a project wants of its incidents. */
export async function setSettings(
  ctx: Ctx,
  { scope, actor }: Editor,
  { autoResolveMinutes }: IncidentSettings,
): Promise<IncidentSettings> {
  const { projectId, organizationId } = scope;
  const statement = ctx.db.sql
    .insert(incidentSettings)
    .values({ projectId, lastNumber: 0, autoResolveMinutes })
    .onConflictDoUpdate({ target: incidentSettings.projectId, set: { autoResolveMinutes } });
  const subject = { of: incidentSettingsSubject, id: projectId };
  await commitChange(ctx, actor, {
    statements: [statement],
    audit: [{ action: 'incident_settings.updated', organizationId, projectId, subject }],
  });
  return readSettings(ctx, projectId);
}
