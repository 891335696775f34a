import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { accounts } from '../../core/auth/table.ts';
import { users } from '../../core/orgs/table.ts';

/** Who signs in to a demo file; a file with this person is one. The domain can't exist (RFC 2606). */
export const DEMO_EMAIL = 'demo@spanledger.example';

/** Id of the demo's person, null where the file is no demo. */
export async function findDemoUser(ctx: Ctx): Promise<string | null> {
  const [row] = await ctx.db.sql.select({ id: users.id }).from(users).where(eq(users.email, DEMO_EMAIL));
  return row?.id ?? null;
}

/** Gives the demo's person a new password; the old one is of no use any more. */
export async function setDemoPassword(ctx: Ctx, userId: string, password: string): Promise<void> {
  const hash = await Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 });
  await ctx.db.sql
    .update(accounts)
    .set({ password: hash, updatedAt: new Date(ctx.now()) })
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential')));
}
