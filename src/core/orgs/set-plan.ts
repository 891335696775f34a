import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { defineAction } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { limitsOf, PLAN_NAMES } from '../plans/index.ts';
import { idOrName } from './contract.ts';
import { organizationsChanged } from './organizations-changed.ts';
import { findOrganization } from './queries.ts';
import { organizationSubject } from './subject.ts';
import { organizations } from './table.ts';

/**
 * `orgs.set_plan`: sets the plan of an organization. `monthlyEvents`, `monthlyBytes` and `retentionDays` override the plan's limits; an
 * omitted one returns to the plan's. Applies from the next request.
 */
export const setPlan = defineAction({
  name: 'orgs.set_plan',
  input: z.object({
    organization: idOrName,
    plan: z.enum(PLAN_NAMES),
    monthlyEvents: z.int().min(0).max(1_000_000_000_000).optional(),
    monthlyBytes: z.int().min(0).max(1_000_000_000_000_000).optional(),
    retentionDays: z.int().min(1).max(36_500).optional(),
  }),
  run: async (ctx, input, actor) => {
    const { id, name } = await findOrganization(ctx, input.organization);
    const chosen = {
      plan: input.plan,
      monthlyEvents: input.monthlyEvents ?? null,
      monthlyBytes: input.monthlyBytes ?? null,
      retentionDays: input.retentionDays ?? null,
    };
    await commitChange(ctx, actor, {
      statements: [ctx.db.sql.update(organizations).set(chosen).where(eq(organizations.id, id))],
      audit: [
        { action: 'billing.plan_changed', organizationId: id, subject: { of: organizationSubject, id } },
      ],
    });
    ctx.emit(organizationsChanged);
    return { id, name, plan: input.plan, ...limitsOf(chosen) };
  },
});
