import { and, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { rowFilterOf } from '../../http/row-filter.ts';
import { projects } from '../projects/table.ts';
import type { OrganizationScope } from '../tenancy/index.ts';
import { budgetFields } from './budget-fields.ts';
import type { Budget } from './contract.ts';
import { listBudgetRows } from './queries.ts';
import { withStatus } from './status.ts';

/**
 * An organization's budgets by name with where they stand, those that match a filter.
 * Throws AppError 400 for a filter that cannot be read.
 */
export async function listBudgets(
  ctx: Ctx,
  organization: OrganizationScope,
  filter = '',
): Promise<readonly Budget[]> {
  const names = filter.trim() === '' ? undefined : await projectNames(ctx, organization.organizationId);
  const holds = rowFilterOf(
    filter,
    budgetFields((id) => names?.get(id)),
  );
  const budgets = await withStatus(ctx, organization, await listBudgetRows(ctx, organization.organizationId));
  return budgets.filter(holds);
}

async function projectNames(ctx: Ctx, organizationId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.db.sql
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .where(and(eq(projects.organizationId, organizationId), isNull(projects.deletedAt)));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
