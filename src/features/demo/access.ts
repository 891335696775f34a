import { eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { setPassword } from '../../core/auth/index.ts';
import { users } from '../../core/orgs/table.ts';

/** The user of a demo file; a file with this user is a demo. The domain cannot exist (RFC 2606). */
export const DEMO_EMAIL = 'demo@spanledger.example';

/** Id of the demo's user; null if the file is not a demo. */
export async function findDemoUser(ctx: Ctx): Promise<string | null> {
  const [row] = await ctx.db.sql.select({ id: users.id }).from(users).where(eq(users.email, DEMO_EMAIL));
  return row?.id ?? null;
}

/** Sets a new password for the demo's user, which replaces the old one. */
export async function setDemoPassword(ctx: Ctx, userId: string, password: string): Promise<void> {
  const hash = await Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 });
  await ctx.db.sql.batch([setPassword(ctx, userId, hash)]);
}
