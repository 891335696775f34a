import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { limitsOf, PLANS } from '../plans/index.ts';
import type { Role } from '../tenancy/contract.ts';
import type { MemberRow, OrganizationReply } from './contract.ts';
import { members, organizations, users } from './table.ts';

/** The organizations of a person by name, or one of them. */
export async function listOrganizationsOf(
  ctx: Ctx,
  userId: string,
  organizationId?: string,
): Promise<OrganizationReply[]> {
  const one = organizationId === undefined ? undefined : eq(organizations.id, organizationId);
  const rows = await ctx.db.sql
    .select({ organization: organizations, role: members.role })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(and(eq(members.userId, userId), isNull(organizations.deletedAt), one))
    .orderBy(asc(organizations.name), asc(organizations.id));
  return rows.map(({ organization, role }) => ({
    id: organization.id,
    name: organization.name,
    plan: organization.plan,
    ...limitsOf(organization),
    requiresSecondFactor: organization.requiresSecondFactor,
    auditCsv: PLANS[organization.plan].auditCsv,
    createdAt: formatInstant(organization.createdAt.getTime()),
    role,
  }));
}

/** The members of an organization, highest role first. */
export async function listMembers(ctx: Ctx, organizationId: string): Promise<MemberRow[]> {
  const rank = sql`CASE ${members.role} WHEN 'owner' THEN 0 WHEN 'admin' THEN 1 WHEN 'member' THEN 2 ELSE 3 END`;
  const rows = await ctx.db.sql
    .select({
      userId: users.id,
      email: users.email,
      name: users.name,
      role: members.role,
      at: members.createdAt,
      secondFactor: users.secondFactor,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.organizationId, organizationId))
    .orderBy(rank, asc(users.name), asc(users.id));
  return rows.map(({ at, ...row }) => ({ ...row, joinedAt: formatInstant(at.getTime()) }));
}

/** A person's current role in an organization, read without a cache. Throws AppError 404. */
export async function readRole(ctx: Ctx, of: Membership): Promise<Role> {
  const [row] = await ctx.db.sql
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.organizationId, of.organizationId), eq(members.userId, of.userId)));
  if (row === undefined) throw notFound(`There is no member ${of.userId} in this organization`);
  return row.role;
}

export type Membership = { readonly organizationId: string; readonly userId: string };

/** The row of a member, for the WHERE of a change. */
export const isMember = ({ organizationId, userId }: Membership): SQL | undefined =>
  and(eq(members.organizationId, organizationId), eq(members.userId, userId));

/** Condition: the person has this role at the moment of the change. */
export const hasRoleNow = ({ organizationId, userId }: Membership, role: Role): SQL =>
  sql`EXISTS (SELECT 1 FROM members AS m WHERE m.organization_id = ${organizationId} AND m.user_id = ${userId} AND m.role = ${role})`;

/** Condition: another person owns the organization at the moment of the change. */
export const hasOtherOwner = ({ organizationId, userId }: Membership): SQL =>
  sql`EXISTS (SELECT 1 FROM members AS o WHERE o.organization_id = ${organizationId} AND o.role = 'owner' AND o.user_id <> ${userId})`;
