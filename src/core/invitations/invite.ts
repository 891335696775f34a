import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { conflict, notFound } from '../../errors.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { hashToken, limitRequests, newToken } from '../auth/index.ts';
import { mailOf, publicUrl } from '../mail/index.ts';
import { members, organizations, users } from '../orgs/table.ts';
import type { CreatedInvitation, InvitationRow } from './contract.ts';
import { invitationMails } from './mails.ts';
import { isOpen, toRow } from './queries.ts';
import { invitationSubject } from './subject.ts';
import { invitations } from './table.ts';

const LIFETIME_MS = 7 * DAY_MS;
/** Most open invitations per organization. */
const MAX_OPEN = 200;

type Wish = {
  readonly organizationId: string;
  readonly email: string | null;
  readonly role: InvitationRow['role'];
};

/**
 * Invites a person for seven days. If an address is given and the server sends mail, the link is only mailed; otherwise
 * the reply contains it.
 * @throws AppError 409 for a member and over 200 open invitations, 429 after too many mails to an address
 */
export async function invite(ctx: Ctx, actor: Actor, wish: Wish): Promise<CreatedInvitation> {
  const { organizationId, email, role } = wish;
  const mailQueue = email === null || actor.kind !== 'user' ? null : mailOf(ctx);
  const organizationName = await nameOf(ctx, organizationId);
  if (email !== null) await refuseMember(ctx, organizationId, email);
  if (mailQueue !== null && email !== null) {
    limitRequests(ctx, { email, address: actor.kind === 'user' ? (actor.source?.address ?? null) : null });
  }
  const token = newToken();
  const row = newRow(ctx, actor, { wish, token, mailed: mailQueue !== null });
  await insert(ctx, actor, row);
  const url = `${publicUrl(ctx)}/invite#token=${token}`;
  const createdBy = actor.kind === 'user' ? actor.email : null;
  if (mailQueue !== null && email !== null) {
    const by = createdBy ?? 'The operator';
    mailQueue.send(invitationMails.invite({ to: email, url, organizationName, by, role }));
  }
  return { ...toRow(ctx, row, createdBy), url: mailQueue === null ? url : null };
}

type Row = typeof invitations.$inferSelect;

function newRow(
  ctx: Ctx,
  actor: Actor,
  { wish, token, mailed }: { wish: Wish; token: string; mailed: boolean },
): Row {
  const now = ctx.now();
  return {
    id: newId('inv', now),
    ...wish,
    hash: hashToken(token),
    mailed,
    createdAt: new Date(now),
    createdBy: actor.kind === 'user' ? actor.userId : null,
    expiresAt: new Date(now + LIFETIME_MS),
    acceptedAt: null,
    acceptedBy: null,
    revokedAt: null,
  };
}

async function insert(ctx: Ctx, actor: Actor, row: Row): Promise<void> {
  const { id, organizationId } = row;
  const open = sql`(SELECT count(*) FROM invitations WHERE organization_id = ${organizationId} AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ${ctx.now()})`;
  try {
    await commitChange(ctx, actor, {
      statements: [
        ctx.db.sql
          .insert(invitations)
          .values({ ...row, id: sql<string>`(SELECT ${id} WHERE ${open} < ${MAX_OPEN})` }),
      ],
      audit: [{ action: 'invitation.created', organizationId, subject: { of: invitationSubject, id } }],
    });
  } catch (error) {
    if (!brokenConstraint(error)?.columns.includes('invitations.id')) throw error;
    throw conflict(`There are ${MAX_OPEN} open invitations; revoke some`);
  }
}

async function nameOf(ctx: Ctx, organizationId: string): Promise<string> {
  const [row] = await ctx.db.sql
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return row?.name ?? '';
}

async function refuseMember(ctx: Ctx, organizationId: string, email: string): Promise<void> {
  const [member] = await ctx.db.sql
    .select({ id: users.id })
    .from(users)
    .innerJoin(members, and(eq(members.userId, users.id), eq(members.organizationId, organizationId)))
    .where(eq(users.email, email));
  if (member !== undefined) throw conflict(`${email} is already a member; change the role instead`);
}

/** Revokes an open invitation. Throws AppError 404 if there is none with that id. */
export async function revokeInvitation(
  ctx: Ctx,
  actor: Actor,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  const [revoked] = await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .update(invitations)
        .set({ revokedAt: new Date(ctx.now()) })
        .where(and(eq(invitations.id, id), eq(invitations.organizationId, organizationId), isOpen(ctx))),
    ],
    audit: [{ action: 'invitation.revoked', organizationId, subject: { of: invitationSubject, id } }],
  });
  if (revoked === 0) throw notFound(`There is no open invitation ${id}`);
}
