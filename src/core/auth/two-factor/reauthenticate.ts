import { eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { AppError, badRequest } from '../../../errors.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { noteFailure } from '../journal/note-failure.ts';
import { findPassword } from '../passwords/password.ts';
import { authOf } from '../service.ts';
import { sessions } from '../table.ts';

/** A signed-in person who changes how they sign in. */
export type Signer = { readonly session: LoginSession; readonly source: Source };

/** How long ago a person without a password may have signed in. */
const RECENT_MS = 10 * 60_000;

/**
 * Makes sure that the person themselves is at the keyboard, not somebody who found a signed-in browser: by the password,
 * or for people without one by a recent sign-in.
 * @throws AppError 400 without a password, 403 for a wrong one or an old sign-in, 429 after too many wrong attempts
 */
export async function reauthenticate(
  ctx: Ctx,
  { session, source }: Signer,
  password: string | undefined,
): Promise<void> {
  const hash = await findPassword(ctx, session.userId);
  if (hash === null) return requireRecent(ctx, session.sessionId);
  if (password === undefined) throw badRequest('password is required');
  const { throttle, passwords } = authOf(ctx);
  const of = { email: session.email, address: addressGroup(source.address) };
  const fits = await throttle.attempt(of, async () =>
    (await passwords.verify(password, hash)) ? true : null,
  );
  if (fits !== null) return;
  noteFailure(ctx, { email: session.email, by: 'repeated password', source });
  throw new AppError(403, 'The password is wrong');
}

async function requireRecent(ctx: Ctx, sessionId: string): Promise<void> {
  const [row] = await ctx.db.sql
    .select({ createdAt: sessions.createdAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  if (row !== undefined && ctx.now() - row.createdAt.getTime() < RECENT_MS) return;
  throw new AppError(403, 'Sign out and in again, then repeat this within 10 minutes', {
    code: 'sign_in_again',
    more: { code: 'sign_in_again' },
  });
}
