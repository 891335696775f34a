import type { Ctx } from '../../../context.ts';
import type { Source } from '../../../module.ts';
import { INSTALLATION } from '../../audit/index.ts';
import { publicUrl } from '../../mail/index.ts';
import { updateUser, userSubject } from '../../orgs/index.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { findPerson } from '../queries.ts';
import { authOf } from '../service.ts';
import { commitWithLink, createLink, readLink, whileValid } from './links.ts';
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

/** Redeems such a link. Throws AppError 403 if it is not valid. */
export async function verifyEmail(ctx: Ctx, token: string, source: Source): Promise<void> {
  const link = { kind: 'verify', token } as const;
  const userId = await readLink(ctx, link);
  const { email } = await findPerson(ctx, userId);
  await commitWithLink(
    ctx,
    { kind: 'user', userId, email, source },
    {
      link,
      value: userId,
      statements: [
        updateUser(ctx, userId, { emailVerified: true, updatedAt: whileValid(ctx, link, ctx.now()) }),
      ],
      audit: [
        {
          action: 'user.email_verified',
          organizationId: INSTALLATION,
          subject: { of: userSubject, id: userId },
        },
      ],
    },
  );
  authOf(ctx).sessions.drop();
}
