import { eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../audit/index.ts';
import { users } from '../../orgs/table.ts';
import { authOf } from '../service.ts';
import { sessions } from '../table.ts';
import { briefSource, personNotes } from './person-notes.ts';

/**
 * Tells of a new login session in the audit log: each of the first twenty of a person in an hour, then tens, hundreds
 * and so on together. If that fails, the login session ends, so that nobody signs in unnoticed.
 * @param token the session's token
 * @throws Error if there is no such session, or it cannot be audited
 */
export async function noteSignIn(ctx: Ctx, token: string): Promise<void> {
  const [session] = await ctx.db.sql
    .select({ id: sessions.id, address: sessions.ipAddress, userAgent: sessions.userAgent, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.token, token));
  if (session === undefined) throw new Error('the new login session cannot be found');
  const { id: userId, email } = session.user;
  const { signIns, sessions: open } = authOf(ctx);
  const count = signIns.add(userId, ctx.now());
  if (count === null) return;
  const source = briefSource({ address: session.address || null, userAgent: session.userAgent });
  const notes = await personNotes(ctx, userId, { action: 'user.signed_in', after: { signIns: count } });
  try {
    await commitChange(ctx, { kind: 'user', userId, email, source }, { statements: [], audit: notes });
  } catch (error) {
    await open.end(session.id);
    throw error;
  }
}
