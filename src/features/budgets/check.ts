import type { Ctx } from '../../context.ts';
import { type OrganizationScope, operatorOrganization } from '../../core/tenancy/index.ts';
import { newId } from '../../db/new-id.ts';
import type { Job } from '../../module.ts';
import { type BudgetRow, listBudgetRows } from './queries.ts';
import { readStandings } from './status.ts';
import { budgetEvents } from './table.ts';

/** Writes an event for each level that spending has crossed, once in a period: alerts deliver it. */
export const checkBudgets: Job = {
  name: 'budgets.check',
  summary: 'Compare spending with budgets and note the levels that were crossed',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    const byOrganization = Map.groupBy(await listBudgetRows(ctx), (row) => row.organizationId);
    let crossed = 0;
    for (const [organizationId, rows] of byOrganization) {
      signal.throwIfAborted();
      crossed += await checkOrganization(ctx, operatorOrganization(organizationId), rows);
    }
    return crossed === 0 ? {} : { crossed };
  },
};

async function checkOrganization(
  ctx: Ctx,
  organization: OrganizationScope,
  rows: readonly BudgetRow[],
): Promise<number> {
  const now = ctx.now();
  const events = (await readStandings(ctx, organization, rows)).flatMap(
    ({ row, period, spent, level: crossed }) =>
      row.levels
        .filter((level) => crossed !== null && level <= crossed)
        .map((level) => ({
          id: newId('bev', now),
          organizationId: row.organizationId,
          budgetId: row.id,
          periodStart: new Date(period.from),
          level,
          limitNano: row.limitNano,
          spentNano: spent.nano,
          unpriced: spent.unpriced,
          crossedAt: new Date(now),
        })),
  );
  if (events.length === 0) return 0;
  const written = await ctx.db.sql
    .insert(budgetEvents)
    .values(events)
    .onConflictDoNothing()
    .returning({ budgetId: budgetEvents.budgetId, level: budgetEvents.level });
  for (const { budgetId, level } of written)
    ctx.log.warn({ budgetId, level }, 'a budget has crossed a level');
  return written.length;
}
