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

/** `users.set_role`: what a member may do, by the operator. */
export const setRole = defineAction({
  name: 'users.set_role',
  input: who.extend({ role: z.enum(ROLES) }),
  run: async (ctx, { role, ...given }, actor) => {
    const member = await findMember(ctx, given);
    await changeRole(ctx, { ...member, by: { userId: null, actor } }, role);
    return { ...member, email: given.email, role };
  },
});

/** `users.remove`: takes a member out of an organization; the account stays. */
export const removeUser = defineAction({
  name: 'users.remove',
  input: who,
  run: async (ctx, given, actor) => {
    const member = await findMember(ctx, given);
    await removeMember(ctx, { ...member, by: { userId: null, actor } });
    return { ...member, email: given.email };
  },
});

/** Throws AppError 404 when nobody with that address is a member. */
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
  if (row === undefined) throw notFound(`${email} is no member of ${name}`);
  return { organizationId, userId: row.userId };
}
