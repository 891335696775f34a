import { desc, eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { addressGroup } from '../../../http/address-group.ts';
import { users } from '../../orgs/table.ts';
import { sessions } from '../table.ts';

/** Newest login sessions of a person that are compared. */
const COMPARED = 100;

/**
 * Whether an account has a login session from a network address.
 * @param of the account's e-mail address, and an `addressGroup`
 */
export async function hasSessionAt(
  ctx: Ctx,
  { email, address }: { readonly email: string; readonly address: string },
): Promise<boolean> {
  const rows = await ctx.db.sql
    .select({ ipAddress: sessions.ipAddress })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(users.email, email))
    .orderBy(desc(sessions.updatedAt))
    .limit(COMPARED);
  return rows.some(({ ipAddress }) => ipAddress !== null && addressGroup(ipAddress) === address);
}
