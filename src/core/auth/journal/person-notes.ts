import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import { type AuditNote, INSTALLATION } from '../../audit/index.ts';
import { members, organizations } from '../../orgs/table.ts';

/** Most organizations of a person whose log tells what concerns the person. */
const MAX_TOLD = 100;
const MAX_USER_AGENT = 120;

/**
 * Audit notes about a person, for the log of each organization where they are a member; of the installation if they are
 * none.
 */
export async function personNotes(
  ctx: Ctx,
  userId: string,
  note: Omit<AuditNote, 'organizationId' | 'projectId'>,
): Promise<AuditNote[]> {
  const rows = await ctx.db.sql
    .select({ organizationId: members.organizationId })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(and(eq(members.userId, userId), isNull(organizations.deletedAt)))
    .orderBy(asc(members.organizationId))
    .limit(MAX_TOLD);
  const chains = rows.length === 0 ? [{ organizationId: INSTALLATION }] : rows;
  return chains.map(({ organizationId }) => ({ ...note, organizationId }));
}

/** The source of a sign-in as organizations see it: the network, and the start of the user agent. */
export const briefSource = ({ address, userAgent }: Source): Source => ({
  address: addressGroup(address),
  userAgent: userAgent?.slice(0, MAX_USER_AGENT) || null,
});
