import { and, eq, ne } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import { newId } from '../../../db/new-id.ts';
import { conflict, notAuthenticated } from '../../../errors.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import { type AuditNote, commitChange } from '../../audit/index.ts';
import { mailOf, publicUrl } from '../../mail/index.ts';
import { organizationsChanged, userSubject } from '../../orgs/index.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { claimAccount } from '../claim-account.ts';
import { requireSignInWith } from '../domains/require-sign-in.ts';
import { noteFailure } from '../journal/note-failure.ts';
import { personNotes } from '../journal/person-notes.ts';
import { commitWithLink, createLink, endLinks, endSignIns, readLink, whileValid } from '../links/links.ts';
import { mails } from '../links/mails.ts';
import { requestMail } from '../links/request-mail.ts';
import { findPerson } from '../queries.ts';
import { authOf } from '../service.ts';
import { accounts, sessions } from '../table.ts';
import { hashNewPassword } from './hash-new-password.ts';

/** The address of a reset link. */
export const resetUrl = (ctx: Ctx, token: string): string => `${publicUrl(ctx)}/link#reset=${token}`;

/** Sends a reset link if the address has an account. Throws like `requestMail` and `requireSignInWith`. */
export async function requestReset(
  ctx: Ctx,
  of: { email: string; address: string | null },
): Promise<{ message: string }> {
  await requireSignInWith(ctx, of.email, null);
  return requestMail(ctx, of, async (person) =>
    person === null
      ? null
      : mails.reset({ to: person.email, url: resetUrl(ctx, await createLink(ctx, 'reset', person.id)) }),
  );
}

/**
 * Sets the password of a reset link's account and ends all login sessions. The link came by mail or from the operator,
 * so the address counts as confirmed.
 * @returns the person's id
 * @throws AppError 403 for a link that is not valid
 */
export async function resetPassword(
  ctx: Ctx,
  { token, password }: { token: string; password: string },
  source: Source,
): Promise<string> {
  const link = { kind: 'reset', token } as const;
  const userId = await readLink(ctx, link);
  const { email, name } = await findPerson(ctx, userId);
  const hash = await hashNewPassword(ctx, password, { email, name });
  const actor = { kind: 'user', userId, email, source } as const;
  await commitWithLink(ctx, actor, {
    link,
    value: userId,
    statements: [
      ...claimAccount(ctx, userId, { at: whileValid(ctx, link, ctx.now()) }),
      setPassword(ctx, userId, hash),
      endSignIns(ctx, { userId, email }),
      ctx.db.sql.delete(sessions).where(eq(sessions.userId, userId)),
    ],
    audit: await notes(ctx, 'user.password_reset', userId),
  });
  ctx.emit(organizationsChanged);
  return userId;
}

/**
 * Changes the password of a person who knows the current one, and ends their other login sessions.
 * @throws AppError 401 if it is wrong, 409 if they have none, 429 after too many wrong attempts
 */
export async function changePassword(
  ctx: Ctx,
  { session, source }: { session: LoginSession; source: Source },
  input: { currentPassword: string; newPassword: string },
): Promise<void> {
  const { userId, sessionId, email } = session;
  const { throttle, passwords } = authOf(ctx);
  const known = await findPassword(ctx, userId);
  if (known === null) throw conflict('This account has no password; ask for a reset link to choose one');
  const fits = await throttle.attempt({ email, address: addressGroup(source.address) }, async () =>
    (await passwords.verify(input.currentPassword, known)) ? true : null,
  );
  if (fits === null) {
    noteFailure(ctx, { email, by: 'repeated password', source });
    throw notAuthenticated();
  }
  const hash = await hashNewPassword(ctx, input.newPassword, session);
  await commitChange(
    ctx,
    { kind: 'user', userId, email, source },
    {
      statements: [
        setPassword(ctx, userId, hash),
        endSignIns(ctx, { userId, email }),
        ctx.db.sql.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, sessionId))),
        endLinks(ctx, 'reset', userId),
      ],
      audit: await notes(ctx, 'user.password_changed', userId),
    },
  );
  authOf(ctx).sessions.drop();
  mailOf(ctx)?.send(mails.passwordChanged(email));
}

const notes = (ctx: Ctx, action: string, userId: string): Promise<AuditNote[]> =>
  personNotes(ctx, userId, { action, subject: { of: userSubject, id: userId } });

/** The hash of a person's password; null if they have none. */
export async function findPassword(ctx: Ctx, userId: string): Promise<string | null> {
  const [row] = await ctx.db.sql
    .select({ hash: accounts.password })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential')));
  return row?.hash ?? null;
}

/** Stores a password as better-auth does: an account of the provider `credential`, one per person. */
export function setPassword(ctx: Ctx, userId: string, password: string): BatchItem<'sqlite'> {
  const now = new Date(ctx.now());
  return ctx.db.sql
    .insert(accounts)
    .values({
      id: newId('acc', ctx.now()),
      accountId: userId,
      providerId: 'credential',
      userId,
      password,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoUpdate({
      target: [accounts.providerId, accounts.accountId],
      set: { password, updatedAt: now },
    });
}
