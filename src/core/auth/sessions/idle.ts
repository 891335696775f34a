import { eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Ctx } from '../../../context.ts';
import { sessions } from '../table.ts';

/** When a login session was last used, epoch milliseconds, as the file has it. */
type Seen = { readonly sessionId: string; readonly seenAt: number };

const MAX_KEPT = 10_000;
const MINUTE_MS = 60_000;

/**
 * Notes each use of a login session, and returns whether it may still be used: not after SESSION_IDLE_SECONDS without a
 * request. The file gets a use at most once a minute, so after a restart a session may end that much early.
 */
export function createIdleCheck(ctx: Ctx): (session: Seen) => boolean {
  const idleMs = ctx.config.SESSION_IDLE_SECONDS * 1000;
  if (idleMs === 0) return () => true;
  const stepMs = Math.min(MINUTE_MS, idleMs / 10);
  const used = new LRUCache<string, number>({ max: MAX_KEPT });
  const written = new LRUCache<string, number>({ max: MAX_KEPT });
  return ({ sessionId, seenAt }) => {
    const now = ctx.now();
    if (now - Math.max(seenAt, used.get(sessionId) ?? 0) >= idleMs) return false;
    used.set(sessionId, now);
    if (now - Math.max(seenAt, written.get(sessionId) ?? 0) >= stepMs) {
      written.set(sessionId, now);
      ctx.db.sql
        .update(sessions)
        .set({ updatedAt: new Date(now) })
        .where(eq(sessions.id, sessionId))
        .then(undefined, (error: unknown) =>
          ctx.log.debug({ err: error, sessionId }, 'the use of a login session was not recorded'),
        );
    }
    return true;
  };
}
