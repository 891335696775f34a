import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { AppError, conflict } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Actor } from '../../module.ts';
import { type AuditNote, commitChange } from '../audit/index.ts';
import { expiredLink } from '../auth/index.ts';
import { insertMember, memberSubject, organizationsChanged } from '../orgs/index.ts';
import type { Role } from '../tenancy/contract.ts';
import type { LoginSession } from '../tenancy/index.ts';
import type { InvitationPreview } from './contract.ts';
import { findOpen, type Invitation, isOpen, mailsFirst } from './queries.ts';
import { invitationSubject } from './subject.ts';
import { invitations } from './table.ts';

type Joined = { organizationId: string; role: Role };

/** The invitation of a link. Throws AppError 403 if it is not valid. */
export async function previewInvitation(ctx: Ctx, token: string): Promise<InvitationPreview> {
  const { invitation, organizationName } = await findOpen(ctx, token);
  const { email, role, expiresAt } = invitation;
  return {
    organizationName,
    role,
    email,
    expiresAt: formatInstant(expiresAt.getTime()),
    mailFirst: mailsFirst(ctx, invitation),
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
  await commitAccepted(ctx, { actor, userId, invitation }, [join], {
    action: 'member.added',
    organizationId,
    subject,
  });
  return { organizationId, role };
}

/** The role of an invitation while it is open; afterwards NULL, which is not allowed for a member. */
export const whileOpen = (ctx: Ctx, { id }: Invitation): SQL<Role> =>
  sql`(SELECT role FROM invitations WHERE ${and(eq(invitations.id, id), isOpen(ctx))})`;

/** If several people use a link at once, only one joins; nothing changes for the others. */
export async function commitAccepted(
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
