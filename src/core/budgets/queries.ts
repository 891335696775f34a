import { and, asc, desc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { findProjectOfKey } from '../keys/index.ts';
import { projects } from '../projects/table.ts';
import { type OrganizationScope, type ProjectScope, projectWithin } from '../tenancy/index.ts';
import type { BudgetEvent, BudgetOf } from './contract.ts';
import { budgetEvents, budgets } from './table.ts';

export type BudgetRow = typeof budgets.$inferSelect;

/** An organization's budgets by name; all there are where none is given. */
export async function listBudgetRows(ctx: Ctx, organizationId?: string): Promise<BudgetRow[]> {
  return ctx.db.sql
    .select()
    .from(budgets)
    .where(organizationId === undefined ? undefined : eq(budgets.organizationId, organizationId))
    .orderBy(asc(budgets.name), asc(budgets.id));
}

/** One of an organization; of any where none is given. Throws AppError 404. */
export async function findBudget(ctx: Ctx, id: string, organizationId?: string): Promise<BudgetRow> {
  const [row] = await ctx.db.sql
    .select()
    .from(budgets)
    .where(
      and(
        eq(budgets.id, id),
        organizationId === undefined ? undefined : eq(budgets.organizationId, organizationId),
      ),
    );
  if (row === undefined) throw notFound(`There is no budget ${id}`);
  return row;
}

/** The scopes of an organization's projects that are not deleted, by id. */
export async function listProjectScopes(
  ctx: Ctx,
  organization: OrganizationScope,
): Promise<Map<string, ProjectScope>> {
  const rows = await ctx.db.sql
    .select({ projectId: projects.id, no: projects.no })
    .from(projects)
    .where(and(eq(projects.organizationId, organization.organizationId), isNull(projects.deletedAt)));
  return new Map(rows.map((row) => [row.projectId, projectWithin(organization, row)]));
}

/** The project of a key. Throws AppError 400 for one that is not the organization's. */
export async function projectOfKey(ctx: Ctx, organizationId: string, keyId: string): Promise<string> {
  const projectId = await findProjectOfKey(ctx, organizationId, keyId);
  if (projectId === null) throw badRequest(`of.keyId: the organization has no key ${keyId}`);
  return projectId;
}

/** Whose budget it is, as it was sent. */
export function toOf({ kind, projectId, keyId, userId, tag, value }: BudgetRow): BudgetOf {
  switch (kind) {
    case 'organization':
      return { kind };
    case 'project':
      return { kind, projectId: projectId ?? '' };
    case 'key':
      return { kind, keyId: keyId ?? '' };
    case 'user':
      return { kind, projectId: projectId ?? '', userId: userId ?? '' };
    case 'tag':
      return { kind, ...(projectId === null ? {} : { projectId }), tag: tag ?? '', value: value ?? '' };
    case 'agent':
      return { kind, projectId: projectId ?? '', agent: value ?? '' };
    case 'tool':
      return { kind, projectId: projectId ?? '', tool: value ?? '' };
  }
}

const LISTED = 200;

/** Levels that were crossed in an organization, the newest first. */
export async function listBudgetEvents(ctx: Ctx, organizationId: string): Promise<BudgetEvent[]> {
  const rows = await ctx.db.sql
    .select({ event: budgetEvents, budget: budgets.name })
    .from(budgetEvents)
    .innerJoin(budgets, eq(budgets.id, budgetEvents.budgetId))
    .where(eq(budgetEvents.organizationId, organizationId))
    .orderBy(desc(budgetEvents.crossedAt), desc(budgetEvents.id))
    .limit(LISTED);
  return rows.map(({ event, budget }) => ({
    id: event.id,
    budgetId: event.budgetId,
    budget,
    periodStart: formatInstant(event.periodStart.getTime()),
    level: event.level,
    spentUsd: event.spentNano / 1e9,
    limitUsd: event.limitNano / 1e9,
    unpriced: event.unpriced,
    crossedAt: formatInstant(event.crossedAt.getTime()),
  }));
}
