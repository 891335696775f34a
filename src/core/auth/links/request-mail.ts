import { eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { conflict, rateLimited } from '../../../errors.ts';
import { addressGroup } from '../../../http/address-group.ts';
import { type Mail, type MailQueue, mailOf } from '../../mail/index.ts';
import { users } from '../../orgs/table.ts';
import { authOf } from '../service.ts';

/** The fields of a person that mails need. */
export type Addressee = Pick<typeof users.$inferSelect, 'id' | 'email' | 'emailVerified'>;

/**
 * Replies to an anonymous request for a mail. The account is looked up after the reply, so that neither the reply nor
 * its timing reveals whether the account exists.
 * @param write returns the mail, or null for none; `person` is null if the address has no account
 * @throws AppError 409 if the server sends no mail, 429 after too many requests
 */
export function requestMail(
  ctx: Ctx,
  of: { email: string; address: string | null },
  write: (person: Addressee | null, mailQueue: MailQueue) => Promise<Mail | null>,
): { message: string } {
  const mailQueue = mailOf(ctx);
  if (mailQueue === null) {
    throw conflict('This server sends no mail; ask its operator for a link (spanledger users reset-link)');
  }
  limitRequests(ctx, of);
  authOf(ctx).later(async () => {
    const [person] = await ctx.db.sql
      .select({ id: users.id, email: users.email, emailVerified: users.emailVerified })
      .from(users)
      .where(eq(users.email, of.email));
    const mail = await write(person ?? null, mailQueue);
    if (mail !== null) mailQueue.send(mail);
  });
  return { message: `If this address is eligible, we sent a link to ${of.email}` };
}

/**
 * Limits anonymous requests for mails: five per hour for one e-mail address, fifty per hour from one network address.
 * @throws AppError 429
 */
export function limitRequests(ctx: Ctx, { email, address }: { email: string; address: string | null }): void {
  const { account, address: addresses } = authOf(ctx).mailRequests;
  const now = ctx.now();
  for (const hit of [addresses.hit(addressGroup(address), now), account.hit(email, now)]) {
    if (!hit.ok) throw rateLimited(hit.retryAfterSeconds);
  }
}
