import { and, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { AppError, conflict, notAMember } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { limitsOf, loweredLimits, type Plan } from '../plans/index.ts';
import { hasRoleNow, type Membership } from './members.ts';
import { organizationsChanged } from './organizations-changed.ts';
import { organizationSubject } from './subject.ts';
import { organizations } from './table.ts';

/**
 * Changes the plan of an owner's organization, from the next request on. A change to the plan it has is none.
 * @param acceptLowerLimits the owner has been told which limits get lower
 * @throws AppError 403 if only the operator changes plans; 409 if the operator set limits of the organization's own, or for
 * lower limits that are not accepted
 */
export async function changePlan(
  ctx: Ctx,
  owner: Membership,
  change: { readonly actor: Actor; readonly plan: Plan; readonly acceptLowerLimits: boolean },
): Promise<void> {
  if (ctx.config.PLAN_CHANGES === 'operator')
    throw new AppError(403, 'Only the operator of this server changes plans; ask them for another one');
  const id = owner.organizationId;
  const [organization] = await ctx.db.sql.select().from(organizations).where(eq(organizations.id, id));
  if (organization === undefined) throw notAMember();
  if (hasOwnLimits(organization))
    throw conflict(
      'The operator of this server set limits for this organization; ask them to change its plan',
    );
  const { plan } = change;
  if (plan === organization.plan) return;
  const chosen = { plan, monthlyEvents: null, monthlyBytes: null, retentionDays: null };
  const lowered = loweredLimits(limitsOf(organization), limitsOf(chosen));
  if (lowered.length > 0 && !change.acceptLowerLimits)
    throw conflict(
      `The ${plan} plan has lower limits: ${lowered.join('; ')}. Send "acceptLowerLimits": true`,
    );
  const [changed] = await commitChange(ctx, change.actor, {
    statements: [
      ctx.db.sql
        .update(organizations)
        .set({ plan })
        .where(
          and(
            eq(organizations.id, id),
            eq(organizations.plan, organization.plan),
            isNull(organizations.monthlyEvents),
            isNull(organizations.monthlyBytes),
            isNull(organizations.retentionDays),
            isNull(organizations.deletedAt),
            hasRoleNow(owner, 'owner'),
          ),
        ),
    ],
    audit: [{ action: 'billing.plan_changed', organizationId: id, subject: { of: organizationSubject, id } }],
  });
  if (changed === 0) throw conflict('Somebody else changed this organization at the same moment; try again');
  ctx.emit(organizationsChanged);
}

/** Whether the operator set limits that its plan does not have. */
export const hasOwnLimits = (organization: {
  readonly monthlyEvents: number | null;
  readonly monthlyBytes: number | null;
  readonly retentionDays: number | null;
}): boolean =>
  organization.monthlyEvents !== null ||
  organization.monthlyBytes !== null ||
  organization.retentionDays !== null;
