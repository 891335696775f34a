import { eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { sessions } from '../table.ts';

/** Times of a login session's row. */
type Times = { readonly createdAt: Date; readonly provenAt: Date | null };

/** When the person last proved to be at the keyboard, epoch milliseconds: by the sign-in or by its repetition. */
export const provenTime = ({ createdAt, provenAt }: Times): number => (provenAt ?? createdAt).getTime();

/** The same for a login session by id; null if it has ended. */
export async function provenAt(ctx: Ctx, sessionId: string): Promise<number | null> {
  const [row] = await ctx.db.sql
    .select({ createdAt: sessions.createdAt, provenAt: sessions.provenAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return row === undefined ? null : provenTime(row);
}
