import { and, desc, eq, gt, ne, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { Actor } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { personNotes } from '../journal/person-notes.ts';
import { authOf } from '../service.ts';
import { sessions } from '../table.ts';
import type { sessionRow } from './contract.ts';

const MAX_LISTED = 200;

/** The newest 200 active login sessions of a person, newest first; `sessionId` is the current one. */
export async function listOwnSessions(
  ctx: Ctx,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string | null },
): Promise<z.infer<typeof sessionRow>[]> {
  const rows = await ctx.db.sql
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, new Date(ctx.now())), isInUse(ctx)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(MAX_LISTED);
  return rows.map((row) => ({
    id: row.id,
    createdAt: formatInstant(row.createdAt.getTime()),
    expiresAt: formatInstant(row.expiresAt.getTime()),
    ipAddress: row.ipAddress || null,
    userAgent: row.userAgent || null,
    current: row.id === sessionId,
  }));
}

/** Sessions that no idle time-out has ended, as far as the file knows. */
const isInUse = ({ config, now }: Ctx): SQL | undefined =>
  config.SESSION_IDLE_SECONDS === 0
    ? undefined
    : gt(sessions.updatedAt, new Date(now() - config.SESSION_IDLE_SECONDS * 1000));

/** Ends one login session of a person. Throws AppError 404 if they have none with that id. */
export async function endOwnSession(
  ctx: Ctx,
  { session: { userId }, actor }: { session: LoginSession; actor: Actor },
  id: string,
): Promise<void> {
  const ended = await endSessions(ctx, { userId, actor }, eq(sessions.id, id));
  if (ended === 0) throw notFound(`You have no session ${id}`);
}

/** Ends all login sessions of a person except this one. Returns their number. */
export const endOtherSessions = (
  ctx: Ctx,
  { session: { userId, sessionId }, actor }: { session: LoginSession; actor: Actor },
): Promise<number> => endSessions(ctx, { userId, actor }, ne(sessions.id, sessionId));

/** Signs a person out: ends the login session of the request. */
export const endThisSession = (
  ctx: Ctx,
  { session: { userId, sessionId }, actor }: { session: LoginSession; actor: Actor },
): Promise<number> =>
  endSessions(ctx, { userId, actor, action: 'user.signed_out' }, eq(sessions.id, sessionId));

async function endSessions(
  ctx: Ctx,
  { userId, actor, action = 'user.sessions_ended' }: { userId: string; actor: Actor; action?: string },
  which: SQL,
): Promise<number> {
  const [ended = 0] = await commitChange(ctx, actor, {
    statements: [ctx.db.sql.delete(sessions).where(and(eq(sessions.userId, userId), which))],
    audit: await personNotes(ctx, userId, { action }),
  });
  authOf(ctx).sessions.drop();
  return ended;
}
