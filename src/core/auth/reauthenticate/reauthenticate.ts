import type { Ctx } from '../../../context.ts';
import { AppError, badRequest } from '../../../errors.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { noteFailure } from '../journal/note-failure.ts';
import { findPassword } from '../passwords/password.ts';
import { authOf } from '../service.ts';
import { provenAt } from '../sessions/proven-at.ts';
import { isRecent, signInAgain } from './recent.ts';

/** A signed-in person who changes how they sign in. */
export type Signer = { readonly session: LoginSession; readonly source: Source };

/**
 * Makes sure that the person themselves is at the keyboard, not somebody who found a signed-in browser: by the password,
 * or for people without one by a recent sign-in or proof.
 * @throws AppError 400 without a password, 403 for a wrong one or an old sign-in, 429 after too many wrong attempts
 */
export async function reauthenticate(ctx: Ctx, signer: Signer, password: string | undefined): Promise<void> {
  const hash = await findPassword(ctx, signer.session.userId);
  if (hash !== null) {
    if (password === undefined) throw badRequest('password is required');
    return requirePassword(ctx, signer, { password, hash });
  }
  await requireRecentProof(ctx, signer.session);
}

/** Throws AppError 403 unless the person signed in, or proved it again, within the last 10 minutes. */
export async function requireRecentProof(ctx: Ctx, { sessionId }: LoginSession): Promise<void> {
  const proven = await provenAt(ctx, sessionId);
  if (proven === null || !isRecent({ provenAt: proven }, ctx.now())) throw signInAgain();
}

/** Throws AppError 403 for a wrong password, 429 after too many. */
export async function requirePassword(
  ctx: Ctx,
  { session, source }: Signer,
  { password, hash }: { password: string; hash: string },
): Promise<void> {
  const { throttle, passwords } = authOf(ctx);
  const of = { email: session.email, address: addressGroup(source.address) };
  const fits = await throttle.attempt(of, async () =>
    (await passwords.verify(password, hash)) ? true : null,
  );
  if (fits !== null) return;
  noteFailure(ctx, { email: session.email, by: 'repeated password', source });
  throw new AppError(403, 'The password is wrong');
}
