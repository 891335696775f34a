import { and, eq, isNull, ne } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { conflict } from '../../errors.ts';
import { type Actor, defineAction } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { idOrName } from './contract.ts';
import { listMembers } from './members.ts';
import { organizationsChanged } from './organizations-changed.ts';
import { findOrganization } from './queries.ts';
import { organizationSubject } from './subject.ts';
import { organizations, users } from './table.ts';

/**
 * Requires a second factor of all members of an organization, or stops requiring it. It applies from the next request on.
 * @throws AppError 409 if the caller would lock themselves out
 */
export async function requireSecondFactor(
  ctx: Ctx,
  { userId, organizationId }: { userId: string; organizationId: string },
  { actor, required }: { actor: Actor; required: boolean },
): Promise<void> {
  const [person] = await ctx.db.sql
    .select({ secondFactor: users.secondFactor })
    .from(users)
    .where(eq(users.id, userId));
  if (required && person?.secondFactor !== true)
    throw conflict('Add a second factor to your own account first, under Account security');
  await setSecondFactorRule(ctx, actor, { organizationId, required });
}

/** The same without a caller who could lock themselves out. */
async function setSecondFactorRule(
  ctx: Ctx,
  actor: Actor,
  { organizationId, required }: { organizationId: string; required: boolean },
): Promise<void> {
  const id = organizationId;
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .update(organizations)
        .set({ requiresSecondFactor: required })
        .where(
          and(
            eq(organizations.id, id),
            isNull(organizations.deletedAt),
            ne(organizations.requiresSecondFactor, required),
          ),
        ),
    ],
    audit: [
      {
        action: required ? 'organization.second_factor_required' : 'organization.second_factor_optional',
        organizationId: id,
        subject: { of: organizationSubject, id },
      },
    ],
  });
  ctx.emit(organizationsChanged);
}

/** `orgs.require_second_factor`: the operator requires a second factor of all members, or stops requiring it. */
export const requireSecondFactorAction = defineAction({
  name: 'orgs.require_second_factor',
  input: z.object({ organization: idOrName, required: z.boolean() }),
  run: async (ctx, { organization, required }, actor) => {
    const { id, name } = await findOrganization(ctx, organization);
    await setSecondFactorRule(ctx, actor, { organizationId: id, required });
    const without = (await listMembers(ctx, id)).filter(({ secondFactor }) => secondFactor === false);
    return { id, name, required, without: without.map(({ email }) => email) };
  },
});
