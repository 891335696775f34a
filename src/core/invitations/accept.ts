import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { AppError, badRequest, conflict } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Actor, Source } from '../../module.ts';
import { type AuditNote, commitChange } from '../audit/index.ts';
import {
  authOf,
  claimAccount,
  expiredLink,
  personStatements,
  setPassword,
  whileUnknown,
} from '../auth/index.ts';
import { insertMember, memberSubject, organizationsChanged, updateMember } from '../orgs/index.ts';
import { users } from '../orgs/table.ts';
import type { Role } from '../tenancy/contract.ts';
import type { LoginSession } from '../tenancy/index.ts';
import type { InvitationPreview, invitedSignUpBody } from './contract.ts';
import { findOpen, isOpen } from './queries.ts';
import { invitationSubject } from './subject.ts';
import { invitations } from './table.ts';

type Invitation = typeof invitations.$inferSelect;
type Joined = { organizationId: string; role: Role };

/** The invitation of a link. Throws AppError 403 if it is not valid. */
export async function previewInvitation(ctx: Ctx, token: string): Promise<InvitationPreview> {
  const { invitation, organizationName } = await findOpen(ctx, token);
  const { email, role, expiresAt } = invitation;
  const known = email === null ? null : (await ctx.db.sql.$count(users, eq(users.email, email))) > 0;
  return {
    organizationName,
    role,
    email,
    expiresAt: formatInstant(expiresAt.getTime()),
    hasAccount: known,
  };
}

/**
 * Joins the organization as a person who is signed in.
 * @throws AppError 403 for a link that is not valid or for another person, 409 for a member
 */
export async function acceptInvitation(
  ctx: Ctx,
  { session, actor }: { session: LoginSession; actor: Actor },
  token: string,
): Promise<Joined> {
  const { invitation } = await findOpen(ctx, token);
  const { email, organizationId, role } = invitation;
  if (email !== null && email !== session.email) {
    throw new AppError(403, `This invitation is for ${email}; sign in with that address to accept it`);
  }
  const { userId } = session;
  const join = insertMember(ctx, {
    organizationId,
    userId,
    role: whileOpen(ctx, invitation),
    createdAt: new Date(ctx.now()),
  });
  const subject = { of: memberSubject, id: [userId, organizationId] };
  await commit(ctx, { actor, userId, invitation }, [join], {
    action: 'member.added',
    organizationId,
    subject,
  });
  return { organizationId, role };
}

/**
 * Creates the account of an invited person, as a member of the organization.
 * @returns the person's id
 * @throws AppError 400 without an address, 403 for a link that is not valid and if SIGNUP is closed, 409 if the address
 *   has an account
 */
export async function signUpInvited(
  ctx: Ctx,
  input: z.output<typeof invitedSignUpBody>,
  source: Source,
): Promise<string> {
  if (ctx.config.SIGNUP === 'closed') {
    throw new AppError(403, 'Sign-up is closed here; ask the operator for an account, then accept with it');
  }
  const { invitation } = await findOpen(ctx, input.token);
  const { organizationId, role } = invitation;
  const email = addressOf(invitation, input.email);
  const { name, password } = input;
  const verified = invitation.mailed;
  if (verified) {
    const claimed = await claimInvited(ctx, { invitation, email, password }, source);
    if (claimed !== null) return claimed;
  }
  const person = await personStatements(ctx, { email, name, password, verified, organizationId, role });
  const { userId, note } = person;
  const actor = { kind: 'user', userId, email, source } as const;
  await whileUnknown(email, () =>
    commit(ctx, { actor, userId, invitation }, [...person.statements, claim(ctx, invitation, userId)], note),
  );
  return userId;
}

/**
 * Gives an account whose address nobody has confirmed to the person who received the invitation there.
 * @returns the person's id; null if there is no such account
 */
async function claimInvited(
  ctx: Ctx,
  { invitation, email, password }: { invitation: Invitation; email: string; password: string },
  source: Source,
): Promise<string | null> {
  const [person] = await ctx.db.sql
    .select({ userId: users.id })
    .from(users)
    .where(and(eq(users.email, email), eq(users.emailVerified, false)));
  if (person === undefined) return null;
  const { userId } = person;
  const { organizationId } = invitation;
  const hash = await authOf(ctx).passwords.hash(password);
  const joinedAt = new Date(ctx.now());
  const role = whileOpen(ctx, invitation);
  await commit(
    ctx,
    { actor: { kind: 'user', userId, email, source }, userId, invitation },
    [
      ...claimAccount(ctx, userId),
      setPassword(ctx, userId, hash),
      insertMember(ctx, { organizationId, userId, role, createdAt: joinedAt }),
    ],
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

/** The role of an invitation while it is open; afterwards NULL, which is not allowed for a member. */
const whileOpen = (ctx: Ctx, { id }: Invitation): SQL<Role> =>
  sql`(SELECT role FROM invitations WHERE ${and(eq(invitations.id, id), isOpen(ctx))})`;

/** Sets the role of the invitation again, which fails if a concurrent request accepted it first. */
const claim = (ctx: Ctx, invitation: Invitation, userId: string): BatchItem<'sqlite'> =>
  updateMember(
    ctx,
    { userId, organizationId: invitation.organizationId },
    { role: whileOpen(ctx, invitation) },
  );

/** If several people use a link at once, only one joins; nothing changes for the others. */
async function commit(
  ctx: Ctx,
  { actor, userId, invitation }: { actor: Actor; userId: string; invitation: Invitation },
  statements: readonly BatchItem<'sqlite'>[],
  note: AuditNote,
): Promise<void> {
  const { id, organizationId } = invitation;
  const close = ctx.db.sql
    .update(invitations)
    .set({ acceptedAt: new Date(ctx.now()), acceptedBy: userId })
    .where(eq(invitations.id, id));
  const accepted = { action: 'invitation.accepted', organizationId, subject: { of: invitationSubject, id } };
  try {
    await commitChange(ctx, actor, { statements: [...statements, close], audit: [accepted, note] });
  } catch (error) {
    const broken = brokenConstraint(error);
    if (broken?.kind === 'not_null') throw expiredLink();
    if (broken?.columns.includes('members.user_id')) throw conflict('You are already a member');
    throw error;
  }
  ctx.emit(organizationsChanged);
}
