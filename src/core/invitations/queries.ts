import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { formatInstant } from '../../lib/time.ts';
import { expiredLink, hashToken, readLink } from '../auth/index.ts';
import { mailOf } from '../mail/index.ts';
import { members, organizations, users } from '../orgs/table.ts';
import type { InvitationRow } from './contract.ts';
import { invitations } from './table.ts';

export type Invitation = typeof invitations.$inferSelect;

const MAX_LISTED = 500;

/**
 * Whether the inviter may still invite. Otherwise a removed admin could come back with a link of their own.
 */
const isVouchedFor = sql<number>`(${invitations.createdBy} IS NULL OR EXISTS (SELECT 1 FROM ${members} AS m
  WHERE m.organization_id = ${invitations.organizationId} AND m.user_id = ${invitations.createdBy}
  AND m.role IN ('owner', 'admin')))`;

/** The condition on an invitation that can still be accepted. */
export const isOpen = (ctx: Ctx): SQL | undefined =>
  and(
    isNull(invitations.acceptedAt),
    isNull(invitations.revokedAt),
    gt(invitations.expiresAt, new Date(ctx.now())),
    isVouchedFor,
  );

/** The newest 500 invitations of an organization, the newest first; accepted, revoked and expired ones for 30 days. */
export async function listInvitations(ctx: Ctx, organizationId: string): Promise<InvitationRow[]> {
  const rows = await ctx.db.sql
    .select({ invitation: invitations, createdBy: users.email, vouched: isVouchedFor })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.createdBy))
    .where(eq(invitations.organizationId, organizationId))
    .orderBy(desc(invitations.createdAt), desc(invitations.id))
    .limit(MAX_LISTED);
  return rows.map(({ invitation, createdBy, vouched }) => {
    const row = toRow(ctx, invitation, createdBy);
    return row.state === 'open' && vouched === 0 ? { ...row, state: 'revoked' } : row;
  });
}

/** An invitation as the API returns it. */
export const toRow = (ctx: Ctx, invitation: Invitation, createdBy: string | null): InvitationRow => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  state: stateOf(invitation, ctx.now()),
  createdAt: formatInstant(invitation.createdAt.getTime()),
  createdBy,
  expiresAt: formatInstant(invitation.expiresAt.getTime()),
});

function stateOf({ acceptedAt, revokedAt, expiresAt }: Invitation, now: number): InvitationRow['state'] {
  if (acceptedAt !== null) return 'accepted';
  if (revokedAt !== null) return 'revoked';
  return now < expiresAt.getTime() ? 'open' : 'expired';
}

type Found = { invitation: Invitation; organizationName: string };

const confirmed = z.object({ invitationId: z.string(), email: z.string() });

/**
 * The open invitation of a link's token, and the name of its organization. A link that was mailed to confirm an address
 * gives the invitation as one that was mailed there.
 * @throws AppError 403
 */
export async function findOpen(ctx: Ctx, token: string): Promise<Found> {
  const found = await findWhere(ctx, eq(invitations.hash, hashToken(token)));
  if (found !== null) return found;
  const { invitationId, email } = confirmed.parse(JSON.parse(await readLink(ctx, { kind: 'join', token })));
  const named = await findWhere(ctx, eq(invitations.id, invitationId));
  if (named === null) throw expiredLink();
  return { ...named, invitation: { ...named.invitation, email, mailed: true } };
}

async function findWhere(ctx: Ctx, which: SQL): Promise<Found | null> {
  const [row] = await ctx.db.sql
    .select({ invitation: invitations, organizationName: organizations.name })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .where(and(which, isNull(organizations.deletedAt), isOpen(ctx)));
  return row ?? null;
}

/**
 * Whether a new person has to confirm the address before they can join: wherever mail is sent, unless the link came by
 * mail. So nobody signs up as somebody else, and nobody learns which addresses have an account.
 */
export const mailsFirst = (ctx: Ctx, { mailed }: Invitation): boolean => !mailed && mailOf(ctx) !== null;

/** The statement that deletes all invitations of an organization. */
export const deleteInvitations = (ctx: Ctx, organizationId: string): BatchItem<'sqlite'> =>
  ctx.db.sql.delete(invitations).where(eq(invitations.organizationId, organizationId));

/** Removes the address of a person who deleted their account from the invitations that they accepted. */
export function forgetInvited(ctx: Ctx, { userId }: { readonly userId: string }): void {
  ctx.db.sql
    .update(invitations)
    .set({ email: null })
    .where(eq(invitations.acceptedBy, userId))
    .then(undefined, (error: unknown) =>
      ctx.log.warn({ err: error, userId }, 'the address in accepted invitations was not removed'),
    );
}
