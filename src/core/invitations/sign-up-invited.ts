import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { AppError, badRequest, conflict } from '../../errors.ts';
import { addressGroup } from '../../http/address-group.ts';
import type { Source } from '../../module.ts';
import {
  authOf,
  claimAccount,
  createLink,
  hashNewPassword,
  personStatements,
  requestMail,
  requireSignInWith,
  setPassword,
  whileUnknown,
} from '../auth/index.ts';
import { publicUrl } from '../mail/index.ts';
import { insertMember, memberSubject, updateMember } from '../orgs/index.ts';
import { users } from '../orgs/table.ts';
import { commitAccepted, whileOpen } from './accept.ts';
import type { invitedSignUpBody } from './contract.ts';
import { invitationMails } from './mails.ts';
import { findOpen, type Invitation, mailsFirst } from './queries.ts';

type Wish = { invitation: Invitation; email: string; name: string | undefined; password: string };

/**
 * Creates the account of an invited person, as a member of the organization; or, where the address has to be confirmed
 * first, sends them a link with which they repeat this. That reply is the same whether the address has an account.
 * @throws AppError 400 without an address or password, 403 for a link that is not valid, if SIGNUP is closed and if
 *   the address signs in with a provider, 409 if the address has an account, 429 after too many mails or refusals
 */
export async function signUpInvited(
  ctx: Ctx,
  input: z.output<typeof invitedSignUpBody>,
  source: Source,
): Promise<{ userId: string } | { message: string }> {
  if (ctx.config.SIGNUP === 'closed') {
    throw new AppError(403, 'Sign-up is closed here; ask the operator for an account, then accept with it');
  }
  const { invitation, organizationName } = await findOpen(ctx, input.token);
  const email = addressOf(invitation, input.email);
  await requireSignInWith(ctx, email, null);
  if (mailsFirst(ctx, invitation)) {
    return requestMail(ctx, { email, address: source.address }, async () => {
      const value = JSON.stringify({ invitationId: invitation.id, email });
      const url = `${publicUrl(ctx)}/invite#token=${await createLink(ctx, 'join', value)}`;
      return invitationMails.confirm({ to: email, url, organizationName });
    });
  }
  const { name, password } = input;
  if (password === undefined) throw badRequest('password is required');
  return { userId: await join(ctx, { invitation, email, name, password }, source) };
}

/** Without mail an address with an account is refused; an address that asks for too many of them has to wait. */
async function join(ctx: Ctx, wish: Wish, source: Source): Promise<string> {
  const address = addressGroup(source.address);
  const of = { email: `invitation ${address}`, address };
  const userId = await authOf(ctx).throttle.attempt(of, async () => {
    try {
      return (
        (wish.invitation.mailed ? await claim(ctx, wish, source) : null) ?? (await add(ctx, wish, source))
      );
    } catch (error) {
      if (error instanceof AppError && error.status === 409) return null;
      throw error;
    }
  });
  if (userId === null) throw conflict(`${wish.email} has an account already; sign in to it`);
  return userId;
}

async function add(ctx: Ctx, { invitation, email, name, password }: Wish, source: Source): Promise<string> {
  const { organizationId, role, mailed: verified } = invitation;
  const person = await personStatements(ctx, { email, name, password, verified, organizationId, role });
  const { userId, note } = person;
  // Sets the role again, which fails if a concurrent request accepted the invitation first.
  const whileFirst = updateMember(ctx, { userId, organizationId }, { role: whileOpen(ctx, invitation) });
  const actor = { kind: 'user', userId, email, source } as const;
  await whileUnknown(email, () =>
    commitAccepted(ctx, { actor, userId, invitation }, [...person.statements, whileFirst], note),
  );
  return userId;
}

/**
 * Gives an account whose address nobody has confirmed to the person who received the invitation there.
 * @returns the person's id; null if there is no such account
 */
async function claim(
  ctx: Ctx,
  { invitation, email, name, password }: Wish,
  source: Source,
): Promise<string | null> {
  const [person] = await ctx.db.sql
    .select({ userId: users.id })
    .from(users)
    .where(and(eq(users.email, email), eq(users.emailVerified, false)));
  if (person === undefined) return null;
  const { userId } = person;
  const { organizationId } = invitation;
  const hash = await hashNewPassword(ctx, password, { email, name });
  const membership = {
    organizationId,
    userId,
    role: whileOpen(ctx, invitation),
    createdAt: new Date(ctx.now()),
  };
  await commitAccepted(
    ctx,
    { actor: { kind: 'user', userId, email, source }, userId, invitation },
    [...claimAccount(ctx, userId), setPassword(ctx, userId, hash), insertMember(ctx, membership)],
    { action: 'member.added', organizationId, subject: { of: memberSubject, id: [userId, organizationId] } },
  );
  return userId;
}

function addressOf({ email }: Invitation, given: string | undefined): string {
  if (email !== null && given !== undefined && given !== email) {
    throw new AppError(403, `This invitation is for ${email}`);
  }
  const address = email ?? given;
  if (address === undefined) throw badRequest('email is required: this invitation names none');
  return address;
}
