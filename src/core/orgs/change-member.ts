import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../context.ts';
import { AppError, conflict, notAMember } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { Role } from '../tenancy/contract.ts';
import { hasRole } from '../tenancy/index.ts';
import { hasOtherOwner, hasRoleNow, isMember, type Membership, readRole } from './members.ts';
import { organizationsChanged } from './organizations-changed.ts';
import { memberSubject } from './subject.ts';
import { members } from './table.ts';

/** A change of a membership and its actor. Without a `userId` the actor is the operator, with an owner's rights. */
export type MemberChange = Membership & {
  readonly by: { readonly userId: string | null; readonly actor: Actor };
};

/**
 * Changes a member's role. Only owners add and change owners; the last owner stays owner.
 * @throws AppError 403 for what the caller's role may not do, 404 for no member, 409 for the last owner
 */
export async function changeRole(ctx: Ctx, change: MemberChange, role: Role): Promise<void> {
  await alter(ctx, change, role, (where) => ({
    action: 'member.role_changed',
    statement: ctx.db.sql.update(members).set({ role }).where(where),
  }));
}

/** Removes a member, who loses access from the next request on. Throws like `changeRole`. */
export async function removeMember(ctx: Ctx, change: MemberChange): Promise<void> {
  await alter(ctx, change, null, (where) => ({
    action: change.userId === change.by.userId ? 'member.left' : 'member.removed',
    statement: ctx.db.sql.delete(members).where(where),
  }));
}

/** Attempts of a change that conflicts with concurrent changes; each attempt reads the new state. */
const TRIES = 5;

/**
 * The statement checks again, as conditions, what was read for the message. If two members change each other at once, the
 * second finds that its own role is gone.
 */
async function alter(
  ctx: Ctx,
  change: MemberChange,
  to: Role | null,
  make: (where: SQL | undefined) => { action: string; statement: BatchItem<'sqlite'> },
): Promise<void> {
  const { organizationId, by } = change;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const caller = by.userId === null ? null : { organizationId, userId: by.userId };
    const callerRole = caller === null ? 'owner' : await readRole(ctx, caller).catch(() => null);
    if (callerRole === null) throw notAMember();
    const from = await readRole(ctx, change);
    if (from === to) return;
    requireRight({ from, to, callerRole, self: by.userId === change.userId });
    const losesOwner = from === 'owner';
    if (losesOwner && !(await isOwnedByOthers(ctx, change))) throw lastOwner();
    const where = and(
      isMember(change),
      eq(members.role, from),
      caller === null ? undefined : hasRoleNow(caller, callerRole),
      losesOwner ? hasOtherOwner(change) : undefined,
    );
    const { action, statement } = make(where);
    const [changed] = await commitChange(ctx, by.actor, {
      statements: [statement],
      audit: [
        { action, organizationId, subject: { of: memberSubject, id: [change.userId, organizationId] } },
      ],
    });
    if (changed === 0) continue;
    ctx.emit(organizationsChanged);
    return;
  }
  throw conflict('Others change the members at the same moment; try again');
}

function requireRight(of: { from: Role; to: Role | null; callerRole: Role; self: boolean }): void {
  const { from, to, callerRole, self } = of;
  // Every member may leave.
  if (self && to === null) return;
  if (!hasRole(callerRole, 'admin')) {
    throw new AppError(403, `As ${callerRole} you may not change members; an admin may`);
  }
  if (callerRole !== 'owner' && (from === 'owner' || to === 'owner')) {
    throw new AppError(403, `As ${callerRole} you may not change owners; an owner may`);
  }
}

const lastOwner = (): AppError =>
  conflict('An organization needs an owner: make another member the owner first, or delete the organization');

async function isOwnedByOthers(ctx: Ctx, of: Membership): Promise<boolean> {
  const [row] = await ctx.db.sql
    .select({ owned: sql<number>`${hasOtherOwner(of)}` })
    .from(members)
    .limit(1);
  return row?.owned === 1;
}

/**
 * Makes another member the owner and the calling owner an admin.
 * @throws AppError 403 if the caller is not an owner, 404 if there is no such member
 */
export async function transferOwnership(
  ctx: Ctx,
  change: Membership & { readonly by: { readonly userId: string; readonly actor: Actor } },
): Promise<void> {
  const { organizationId, userId, by } = change;
  const caller = { organizationId, userId: by.userId };
  if (userId === by.userId) throw conflict('You are already an owner');
  const before = await readRole(ctx, change);
  const swap = ctx.db.sql
    .update(members)
    .set({ role: sql<Role>`CASE ${members.userId} WHEN ${userId} THEN 'owner' ELSE 'admin' END` })
    .where(
      and(
        eq(members.organizationId, organizationId),
        sql`${members.userId} IN (${userId}, ${by.userId})`,
        hasRoleNow(change, before),
        hasRoleNow(caller, 'owner'),
      ),
    );
  const [changed] = await commitChange(ctx, by.actor, {
    statements: [swap],
    audit: [
      {
        action: 'organization.ownership_transferred',
        organizationId,
        before: { [by.userId]: 'owner', [userId]: before },
        after: { [by.userId]: 'admin', [userId]: 'owner' },
      },
    ],
  });
  if (changed === 0) throw conflict('Roles have just changed; reload and try again');
  ctx.emit(organizationsChanged);
}
