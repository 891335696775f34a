import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { defineAction } from '../../module.ts';
import { ROLES } from '../tenancy/contract.ts';
import { changeRole, removeMember } from './change-member.ts';
import { emailAddress, idOrName } from './contract.ts';
import { findOrganization } from './queries.ts';
import { members, users } from './table.ts';

const who = z.object({ email: emailAddress, organization: idOrName });

/** `users.set_role`: the operator sets a member's role. */
export const setRole = defineAction({
  name: 'users.set_role',
  input: who.extend({ role: z.enum(ROLES) }),
  run: async (ctx, { role, ...given }, actor) => {
    const member = await findMember(ctx, given);
    await changeRole(ctx, { ...member, by: { userId: null, actor } }, role);
    return { ...member, email: given.email, role };
  },
});

/** `users.remove`: removes a member from an organization; the account stays. */
export const removeUser = defineAction({
  name: 'users.remove',
  input: who,
  run: async (ctx, given, actor) => {
    const member = await findMember(ctx, given);
    await removeMember(ctx, { ...member, by: { userId: null, actor } });
    return { ...member, email: given.email };
  },
});

/** Throws AppError 404 if no member has that address. */
async function findMember(
  ctx: Ctx,
  { email, organization }: z.output<typeof who>,
): Promise<{ organizationId: string; userId: string }> {
  const { id: organizationId, name } = await findOrganization(ctx, organization);
  const [row] = await ctx.db.sql
    .select({ userId: users.id })
    .from(users)
    .innerJoin(members, and(eq(members.userId, users.id), eq(members.organizationId, organizationId)))
    .where(eq(users.email, email));
  if (row === undefined) throw notFound(`${email} is not a member of ${name}`);
  return { organizationId, userId: row.userId };
}
