import { and, eq, ne } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { AppError, badRequest } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { mailOf, publicUrl } from '../../mail/index.ts';
import { organizationsChanged, updateUser, userSubject } from '../../orgs/index.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { requireSignInWith } from '../domains/require-sign-in.ts';
import { personNotes } from '../journal/person-notes.ts';
import { commitWithLink, createLink, endLinks, readLink, whileValid } from '../links/links.ts';
import { mails } from '../links/mails.ts';
import { requestMail } from '../links/request-mail.ts';
import { whileUnknown } from '../person.ts';
import { reauthenticate, type Signer } from '../reauthenticate/reauthenticate.ts';
import { sessions } from '../table.ts';

/**
 * Sends a link to a person's new address; the address changes when they open it. The reply is the same whether another
 * account has the address; its owner then gets a mail that says so.
 * @throws AppError 400 for the address they have, 403 for a wrong password, an old sign-in, and an address whose domain
 *   requires single sign-on, 409 if the server sends no mail, 429 after too many requests
 */
export async function requestEmailChange(
  ctx: Ctx,
  signer: Signer,
  { email, password }: { email: string; password: string | undefined },
): Promise<{ message: string }> {
  const { session, source } = signer;
  await reauthenticate(ctx, signer, password);
  if (email === session.email) throw badRequest('email is your address already');
  // Neither out of a domain that requires single sign-on nor into one.
  for (const address of [session.email, email]) await requireSignInWith(ctx, address, null);
  return requestMail(ctx, { email, address: source.address }, async (taken) => {
    if (taken !== null) return mails.signUpAgain({ to: email, url: publicUrl(ctx) });
    const token = await createLink(ctx, 'email', JSON.stringify({ userId: session.userId, email }));
    return mails.changeEmail({ to: email, url: `${publicUrl(ctx)}/link#email=${token}` });
  });
}

const linked = z.object({ userId: z.string(), email: z.string() });

/**
 * Redeems such a link for the person who asked for it: somebody else who owns the mailbox must not confirm an account
 * that is not theirs. The old address gets a notice; links sent to it, and the other login sessions, end.
 * @throws AppError 403 if the link is not valid or belongs to another account, or like `requestEmailChange`, 409 if the address has an account by now
 */
export async function confirmEmailChange(
  ctx: Ctx,
  { session, actor }: { session: LoginSession; actor: Actor },
  token: string,
): Promise<void> {
  const { userId, sessionId, email: old } = session;
  const link = { kind: 'email', token } as const;
  const value = await readLink(ctx, link);
  const asked = linked.parse(JSON.parse(value));
  if (asked.userId !== userId) {
    throw new AppError(403, 'This link belongs to another account; sign in to that one and open it again');
  }
  const { email } = asked;
  for (const address of [old, email]) await requireSignInWith(ctx, address, null);
  const subject = { of: userSubject, id: userId };
  const audit = await personNotes(ctx, userId, { action: 'user.email_changed', subject });
  await whileUnknown(email, () =>
    commitWithLink(ctx, actor, {
      link,
      value,
      statements: [
        updateUser(ctx, userId, { email, emailVerified: true, updatedAt: whileValid(ctx, link, ctx.now()) }),
        ctx.db.sql.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, sessionId))),
        endLinks(ctx, 'reset', userId),
        endLinks(ctx, 'verify', userId),
      ],
      audit,
    }),
  );
  ctx.emit(organizationsChanged);
  mailOf(ctx)?.send(mails.emailChanged({ to: old, email }));
}
