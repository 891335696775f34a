import { eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import type { Source } from '../../../module.ts';
import { publicUrl } from '../../mail/index.ts';
import { organizationsChanged, userSubject } from '../../orgs/index.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { claimAccount } from '../claim-account.ts';
import { personNotes } from '../journal/person-notes.ts';
import { hashNewPassword } from '../passwords/hash-new-password.ts';
import { setPassword } from '../passwords/password.ts';
import { findPerson } from '../queries.ts';
import { sessions } from '../table.ts';
import { commitWithLink, createLink, endSignIns, readLink, whileValid } from './links.ts';
import { mails } from './mails.ts';
import { requestMail } from './request-mail.ts';

/** Sends a person a link to confirm their address, unless it is confirmed. Throws like `requestMail`. */
export const requestVerification = (
  ctx: Ctx,
  { email }: LoginSession,
  address: string | null,
): { message: string } =>
  requestMail(ctx, { email, address }, async (person) => {
    if (person === null || person.emailVerified) return null;
    const url = `${publicUrl(ctx)}/link#verify=${await createLink(ctx, 'verify', person.id)}`;
    return mails.verify({ to: person.email, url });
  });

/**
 * Redeems such a link. Somebody else may have signed up with the address and asked for the mail. So unless the request
 * is signed in to the account, all its passwords and login sessions end; `password` then sets a new one.
 * @throws AppError 403 if the link is not valid
 */
export async function verifyEmail(
  ctx: Ctx,
  { token, password }: { token: string; password?: string | undefined },
  { session, source }: { session: LoginSession | null; source: Source },
): Promise<void> {
  const link = { kind: 'verify', token } as const;
  const userId = await readLink(ctx, link);
  const { email, name } = await findPerson(ctx, userId);
  const hash = password === undefined ? null : await hashNewPassword(ctx, password, { email, name });
  const keepSession = session?.userId === userId && hash === null ? session.sessionId : undefined;
  const newPassword =
    hash === null
      ? []
      : [
          setPassword(ctx, userId, hash),
          endSignIns(ctx, { userId, email }),
          ctx.db.sql.delete(sessions).where(eq(sessions.userId, userId)),
        ];
  await commitWithLink(
    ctx,
    { kind: 'user', userId, email, source },
    {
      link,
      value: userId,
      statements: [
        ...claimAccount(ctx, userId, { keepSession, at: whileValid(ctx, link, ctx.now()) }),
        ...newPassword,
      ],
      audit: await personNotes(ctx, userId, {
        action: 'user.email_verified',
        subject: { of: userSubject, id: userId },
      }),
    },
  );
  ctx.emit(organizationsChanged);
}
