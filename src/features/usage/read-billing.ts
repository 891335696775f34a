import { eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { hasOwnLimits } from '../../core/orgs/index.ts';
import { organizations } from '../../core/orgs/table.ts';
import { limitsOf, loweredLimits, PLAN_NAMES, PLANS } from '../../core/plans/index.ts';
import { readUsageCounts } from '../../core/usage/index.ts';
import { notAMember } from '../../errors.ts';
import { formatInstant, monthKey, startOfMonth, startOfNextMonth } from '../../lib/time.ts';
import type { Billing } from './contract.ts';

/** Plan, period and use of an organization that the caller may see. Throws AppError 403 when it is gone. */
export async function readBilling(ctx: Ctx, organizationId: string): Promise<Billing> {
  const [organization] = await ctx.db.sql
    .select()
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (organization === undefined) throw notAMember();
  const now = ctx.now();
  const month = monthKey(now);
  const limits = limitsOf(organization);
  const { months } = await readUsageCounts(ctx, organizationId, {
    since: formatInstant(now).slice(0, 10),
    month,
    quota: { events: limits.monthlyEvents, bytes: limits.monthlyBytes },
  });
  const used = months.find((one) => one.month === month) ?? { events: 0, bytes: 0 };
  return {
    organizationId,
    plan: organization.plan,
    planChanges: ctx.config.PLAN_CHANGES,
    ownLimits: hasOwnLimits(organization),
    period: {
      month,
      from: formatInstant(startOfMonth(now)),
      to: formatInstant(startOfNextMonth(now)),
    },
    events: quotaOf(used.events, limits.monthlyEvents),
    bytes: quotaOf(used.bytes, limits.monthlyBytes),
    retentionDays: limits.retentionDays,
    months,
    plans: PLAN_NAMES.map((plan) => {
      const { monthlyEvents, monthlyBytes, retentionDays, projects, auditCsv } = PLANS[plan];
      const lowered = loweredLimits(limits, PLANS[plan]);
      return { plan, monthlyEvents, monthlyBytes, retentionDays, projects, auditCsv, lowered };
    }),
  };
}

const quotaOf = (used: number, limit: number): Billing['events'] => ({
  used,
  limit,
  remaining: Math.max(0, limit - used),
  overage: Math.max(0, used - limit),
});
