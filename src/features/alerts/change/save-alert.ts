import { and, eq, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import { checkChannels, notificationsWritten } from '../../../core/deliveries/index.ts';
import { planOf } from '../../../core/orgs/index.ts';
import { outboxWritten } from '../../../core/outbox/index.ts';
import { PLANS } from '../../../core/plans/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { conflict } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import type { Alert, AlertInput } from '../contract.ts';
import { findAlert, readAlert } from '../queries.ts';
import { alertSubject } from '../subject.ts';
import { alerts, type GroupCounts, type Rule } from '../table.ts';
import { closeGroups } from './close-groups.ts';

/** Who changes the alerts of a project. `userId` is null for the operator. */
export type AlertEditor = {
  readonly scope: ProjectScope;
  readonly actor: Actor;
  readonly userId: string | null;
};

const NO_GROUPS: GroupCounts = {
  critical: 0,
  warning: 0,
  pending: 0,
  noData: 0,
  total: 0,
  left: 0,
  unpriced: 0,
};
/** Nothing is known of the rule yet. */
const UNJUDGED = {
  state: 'ok',
  groups: NO_GROUPS,
  trend: null,
  evaluatedAt: null,
  error: null,
  errorSince: null,
  errorTold: false,
} as const;

/** Creates an alert. Throws AppError 400 for a foreign channel, 409 for a taken name and one alert too many. */
export async function createAlert(ctx: Ctx, by: AlertEditor, input: AlertInput): Promise<Alert> {
  const { projectId, organizationId } = by.scope;
  await checkChannels(ctx, organizationId, input.channelIds);
  const plan = await planOf(ctx, organizationId);
  const most = PLANS[plan].alerts;
  const now = new Date(ctx.now());
  const id = newId('alr', now.getTime());
  const count = sql`(SELECT count(*) FROM alerts WHERE project_id = ${projectId})`;
  // Null, which no alert can have as its id, when there are too many.
  const allowedId = sql<string>`(SELECT ${id} WHERE ${count} < ${most})`;
  const insert = ctx.db.sql.insert(alerts).values({
    id: allowedId,
    organizationId,
    projectId,
    ...columnsOf(input),
    version: 1,
    ...UNJUDGED,
    createdBy: by.userId,
    createdAt: now,
    updatedAt: now,
  });
  await commit(ctx, by, { action: 'alert.created', id, name: input.name, most, statements: [insert] });
  return readAlert(ctx, projectId, id);
}

/** Replaces an alert. Throws AppError 404, 400 for a foreign channel, 409 for a taken name. */
export async function updateAlert(
  ctx: Ctx,
  by: AlertEditor,
  { id, input }: { readonly id: string; readonly input: AlertInput },
): Promise<Alert> {
  const { projectId, organizationId } = by.scope;
  const former = await findAlert(ctx, id, projectId);
  await checkChannels(ctx, organizationId, input.channelIds);
  const isNew = former.enabled !== input.enabled || judgedBy(former.rule) !== judgedBy(input);
  const set = { ...columnsOf(input), version: former.version + 1, updatedAt: new Date(ctx.now()) };
  const update = ctx.db.sql
    .update(alerts)
    .set(isNew ? { ...set, ...UNJUDGED } : set)
    // Another change at the same time would be lost otherwise.
    .where(and(eq(alerts.id, id), eq(alerts.version, former.version)));
  const closing = isNew ? await closeGroups(ctx, former) : [];
  const changed = await commit(ctx, by, {
    action: 'alert.updated',
    id,
    name: input.name,
    statements: [update, ...closing],
  });
  if (changed === 0) throw conflict('The alert was changed at the same time; read it and try again');
  return readAlert(ctx, projectId, id);
}

/** Deletes an alert with its states, history and silences. Throws AppError 404. */
export async function deleteAlert(ctx: Ctx, by: AlertEditor, id: string): Promise<void> {
  const former = await findAlert(ctx, id, by.scope.projectId);
  const closing = await closeGroups(ctx, former);
  const remove = ctx.db.sql
    .delete(alerts)
    .where(and(eq(alerts.id, id), eq(alerts.projectId, by.scope.projectId)));
  await commit(ctx, by, { action: 'alert.deleted', id, name: former.name, statements: [...closing, remove] });
}

/** What decides about states, as text. */
function judgedBy(rule: Rule): string {
  const { measure, filters, groupBy, window, condition, minRequests, forMinutes, noData } = rule;
  return JSON.stringify([measure, filters, groupBy, window, condition, minRequests, forMinutes, noData]);
}

/** The rule of an input: what is judged. */
export function ruleOf(input: AlertInput): Rule {
  const { name, enabled, channelIds, opensIncident, ...rule } = input;
  return rule;
}

const columnsOf = (input: AlertInput) => ({
  name: input.name,
  enabled: input.enabled,
  channelIds: input.channelIds,
  opensIncident: input.opensIncident,
  rule: ruleOf(input),
});

type Change = {
  readonly action: string;
  readonly id: string;
  readonly name: string;
  readonly most?: number;
  readonly statements: readonly BatchItem<'sqlite'>[];
};

/** @returns how many rows the first statement changed */
async function commit(ctx: Ctx, { scope, actor }: AlertEditor, change: Change): Promise<number> {
  const { organizationId, projectId } = scope;
  const { action, id, name, most, statements } = change;
  try {
    const [changed = 0] = await commitChange(ctx, actor, {
      statements,
      audit: [{ action, organizationId, projectId, subject: { of: alertSubject, id } }],
    });
    ctx.emit(notificationsWritten);
    ctx.emit(outboxWritten);
    return changed;
  } catch (error) {
    const broken = brokenConstraint(error);
    if (broken?.columns.includes('alerts.name'))
      throw conflict(`There is an alert ${JSON.stringify(name)} already; choose another name`);
    if (broken?.columns.includes('alerts.id'))
      throw conflict(`A project of this plan has at most ${most} alerts; delete some first`);
    throw error;
  }
}
