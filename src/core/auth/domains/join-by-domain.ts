import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import type { Statements } from '../../../db/batch.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import type { Actor } from '../../../module.ts';
import { type AuditNote, commitChange } from '../../audit/index.ts';
import { insertMember, memberSubject, organizationsChanged } from '../../orgs/index.ts';
import { members } from '../../orgs/table.ts';
import type { Identity } from '../oauth/provider.ts';
import { domainJoins } from '../table.ts';
import { type Domain, findDomain } from './queries.ts';

/** The domain by which an identity joins an organization; null for none. Only a confirmed address counts. */
export async function domainFor(
  ctx: Ctx,
  { email, emailVerified, provider }: Identity,
): Promise<Domain | null> {
  const found = emailVerified && email !== null ? await findDomain(ctx, email) : null;
  return found?.provider === provider ? found : null;
}

/** What makes a person a member by their domain, for the same transaction as the person. */
export function membershipBy(
  ctx: Ctx,
  { organizationId, role }: Domain,
  userId: string,
): { statements: Statements; audit: AuditNote[] } {
  const createdAt = new Date(ctx.now());
  return {
    statements: [
      insertMember(ctx, { organizationId, userId, role, createdAt }),
      ctx.db.sql.insert(domainJoins).values({ organizationId, userId, createdAt }),
    ],
    audit: [
      {
        action: 'member.added',
        organizationId,
        subject: { of: memberSubject, id: [userId, organizationId] },
      },
    ],
  };
}

/**
 * Adds a person with an account to the organization of their domain. It happens at their first sign-in only: whoever
 * leaves or is removed comes back by an invitation.
 */
export async function joinByDomain(
  ctx: Ctx,
  identity: Identity,
  { userId, actor }: { userId: string; actor: Actor },
): Promise<void> {
  const domain = await domainFor(ctx, identity);
  if (domain === null || (await hasJoined(ctx, domain, userId))) return;
  const { organizationId } = domain;
  const change = membershipBy(ctx, domain, userId);
  const isMember = await ctx.db.sql.$count(
    members,
    and(eq(members.userId, userId), eq(members.organizationId, organizationId)),
  );
  try {
    await commitChange(
      ctx,
      actor,
      isMember === 0 ? change : { statements: change.statements.slice(1), audit: [] },
    );
  } catch (error) {
    // A concurrent sign-in of the same person won.
    if (brokenConstraint(error)?.kind !== 'unique') throw error;
  }
  ctx.emit(organizationsChanged);
}

async function hasJoined(ctx: Ctx, { organizationId }: Domain, userId: string): Promise<boolean> {
  const where = and(eq(domainJoins.userId, userId), eq(domainJoins.organizationId, organizationId));
  return (await ctx.db.sql.$count(domainJoins, where)) > 0;
}
