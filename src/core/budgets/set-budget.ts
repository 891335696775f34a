import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { newId } from '../../db/new-id.ts';
import { badRequest, conflict } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { OrganizationScope } from '../tenancy/index.ts';
import type { Budget, BudgetInput, BudgetOf } from './contract.ts';
import { findBudget, listBudgetRows, listProjectScopes, projectOfKey } from './queries.ts';
import { withStatus } from './status.ts';
import { budgetSubject } from './subject.ts';
import { budgets } from './table.ts';

/** Each is looked at every minute. */
const MAX_BUDGETS = 500;

/**
 * Writes a budget: a new one, or in the place of `id`. Throws AppError 404 for an id that is not the
 * organization's, 400 for a project or key that is not.
 */
export async function setBudget(
  ctx: Ctx,
  actor: Actor,
  { organization, id, input }: { organization: OrganizationScope; id: string | null; input: BudgetInput },
): Promise<Budget> {
  const { organizationId } = organization;
  const now = new Date(ctx.now());
  const made = id ?? newId('bud', now.getTime());
  const values = { ...(await columnsOf(ctx, organization, input)), updatedAt: now };
  if (id !== null) await findBudget(ctx, id, organizationId);
  else if ((await listBudgetRows(ctx, organizationId)).length >= MAX_BUDGETS)
    throw conflict(`An organization has at most ${MAX_BUDGETS} budgets; remove some`);
  await commitChange(ctx, actor, {
    statements: [
      id === null
        ? ctx.db.sql.insert(budgets).values({ id: made, organizationId, createdAt: now, ...values })
        : ctx.db.sql
            .update(budgets)
            .set(values)
            .where(and(eq(budgets.id, id), eq(budgets.organizationId, organizationId))),
    ],
    audit: [
      {
        action: id === null ? 'budget.created' : 'budget.updated',
        organizationId,
        subject: { of: budgetSubject, id: made },
      },
    ],
  });
  const [budget] = await withStatus(ctx, organization, [await findBudget(ctx, made, organizationId)]);
  if (budget === undefined) throw conflict(`The budget ${made} was removed just now`);
  return budget;
}

/** Deletes a budget and what it noted. Throws AppError 404. */
export async function removeBudget(
  ctx: Ctx,
  actor: Actor,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  await findBudget(ctx, id, organizationId);
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql.delete(budgets).where(and(eq(budgets.id, id), eq(budgets.organizationId, organizationId))),
    ],
    audit: [{ action: 'budget.deleted', organizationId, subject: { of: budgetSubject, id } }],
  });
}

async function columnsOf(ctx: Ctx, organization: OrganizationScope, input: BudgetInput) {
  const { of, period, limitUsd, levels } = input;
  const projectId =
    of.kind === 'key'
      ? await projectOfKey(ctx, organization.organizationId, of.keyId)
      : of.kind === 'organization'
        ? null
        : (of.projectId ?? null);
  if (projectId !== null && !(await listProjectScopes(ctx, organization)).has(projectId))
    throw badRequest(`of.projectId: the organization has no project ${projectId}`);
  return {
    name: input.name ?? `${nameOf(of)} per ${period}`,
    kind: of.kind,
    projectId,
    keyId: of.kind === 'key' ? of.keyId : null,
    userId: of.kind === 'user' ? of.userId : null,
    tag: of.kind === 'tag' ? of.tag : null,
    value: columnValue(of),
    period,
    limitNano: Math.round(limitUsd * 1e9),
    levels,
  };
}

function columnValue(of: BudgetOf): string | null {
  if (of.kind === 'agent') return of.agent;
  if (of.kind === 'tool') return of.tool;
  return of.kind === 'tag' ? of.value : null;
}

function nameOf(of: BudgetOf): string {
  if (of.kind === 'key') return `Key ${of.keyId}`;
  if (of.kind === 'user') return `User ${of.userId}`;
  if (of.kind === 'tag') return `${of.tag}=${of.value}`;
  if (of.kind === 'agent') return `Agent ${of.agent}`;
  if (of.kind === 'tool') return `Tool ${of.tool}`;
  return of.kind === 'project' ? 'Project' : 'Organization';
}
