import { and, eq, isNull } from 'drizzle-orm';
import { type Ctx, defineEvent } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { type AuditNote, commitChange, INSTALLATION } from '../../audit/index.ts';
import { mailOf } from '../../mail/index.ts';
import { deleteUser, listOwnedAlone, memberSubject, organizationsChanged } from '../../orgs/index.ts';
import { members, organizations } from '../../orgs/table.ts';
import { mails } from '../links/mails.ts';
import { reauthenticate, type Signer } from '../reauthenticate/reauthenticate.ts';

/** A person deleted their account; modules that keep the address of the person delete it. */
export const personDeleted = defineEvent<{ readonly userId: string }>('person.deleted');

/**
 * Deletes a person's account with all that opens it, their memberships and access tokens. What they made stays with its
 * organization, without their name; only the audit log keeps the address.
 * @throws AppError 403 for a wrong password or an old sign-in, 409 that names the organizations they own alone
 */
export async function deleteAccount(
  ctx: Ctx,
  signer: Signer & { readonly actor: Actor },
  password: string | undefined,
): Promise<void> {
  const { session, actor } = signer;
  const { userId, email } = session;
  await reauthenticate(ctx, signer, password);
  const owned = await listOwnedAlone(ctx, userId);
  if (owned.length > 0) {
    const names = new Intl.ListFormat('en').format(owned);
    throw conflict(
      `You are the only owner of ${names}: make another member the owner, or delete the organization first`,
    );
  }
  const [deleted] = await commitChange(ctx, actor, {
    statements: [deleteUser(ctx, userId)],
    audit: await notesOf(ctx, userId),
  });
  if (deleted === 0) throw conflict('Roles have just changed; reload and try again');
  ctx.emit(organizationsChanged);
  ctx.emit(personDeleted, { userId });
  mailOf(ctx)?.send(mails.accountDeleted(email));
}

/** Every organization of the person tells that they left; the installation tells of the deletion. */
async function notesOf(ctx: Ctx, userId: string): Promise<AuditNote[]> {
  const rows = await ctx.db.sql
    .select({ organizationId: members.organizationId })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(and(eq(members.userId, userId), isNull(organizations.deletedAt)));
  const left = rows.map(({ organizationId }) => ({
    action: 'member.left',
    organizationId,
    subject: { of: memberSubject, id: [userId, organizationId] },
  }));
  return [...left, { action: 'user.deleted', organizationId: INSTALLATION }];
}
