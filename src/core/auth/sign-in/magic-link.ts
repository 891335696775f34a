import { createHash } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import { organizationsChanged, userSubject } from '../../orgs/index.ts';
import { users } from '../../orgs/table.ts';
import { claimAccount } from '../claim-account.ts';
import { requireSignInWith } from '../domains/require-sign-in.ts';
import { personNotes } from '../journal/person-notes.ts';
import { expiredLink } from '../links/links.ts';
import { requestMail } from '../links/request-mail.ts';
import { authOf } from '../service.ts';
import { verifications } from '../table.ts';

/** Sends a magic link if the address has an account. Throws like `requestMail` and `requireSignInWith`. */
export async function requestMagicLink(
  ctx: Ctx,
  of: { email: string; address: string | null },
): Promise<{ message: string }> {
  await requireSignInWith(ctx, of.email, null);
  return requestMail(ctx, of, async (person) => {
    // better-auth sends the mail through `loadSignIn`'s `send`.
    if (person !== null) await (await authOf(ctx).signIn()).sendMagicLink(person.email);
    return null;
  });
}

/** Redeems a magic link for a bearer token. Throws like `requireSignInWith`, AppError 403 if it is not valid, 429 after too many failures. */
export async function useMagicLink(ctx: Ctx, token: string, origin: Source): Promise<string> {
  const { throttle, signIn } = authOf(ctx);
  const address = addressGroup(origin.address);
  await claimByLink(ctx, token, origin);
  const bearer = await throttle.attempt({ email: `link ${address}`, address }, async () =>
    (await signIn()).magicLink(token, origin),
  );
  authOf(ctx).sessions.drop();
  if (bearer === null) throw expiredLink();
  return bearer;
}

const linked = z.object({ email: z.string() });

/**
 * Refuses a link whose address requires another way by now. better-auth itself would end only the password and the sessions of an
 * account whose address nobody has confirmed.
 */
async function claimByLink(ctx: Ctx, token: string, source: Source): Promise<void> {
  const identifier = `magic-link:${createHash('sha256').update(token).digest('base64url')}`;
  const [link] = await ctx.db.sql
    .select({ value: verifications.value })
    .from(verifications)
    .where(and(eq(verifications.identifier, identifier), gt(verifications.expiresAt, new Date(ctx.now()))));
  if (link === undefined) return;
  const { email } = linked.parse(JSON.parse(link.value));
  await requireSignInWith(ctx, email, null);
  const [person] = await ctx.db.sql
    .select({ userId: users.id })
    .from(users)
    .where(and(eq(users.email, email), eq(users.emailVerified, false)));
  if (person === undefined) return;
  const { userId } = person;
  const subject = { of: userSubject, id: userId };
  await commitChange(
    ctx,
    { kind: 'user', userId, email, source },
    {
      statements: claimAccount(ctx, userId),
      audit: await personNotes(ctx, userId, { action: 'user.email_verified', subject }),
    },
  );
  ctx.emit(organizationsChanged);
}
