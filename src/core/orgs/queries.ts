import { asc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { notAMember } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { limitsOf } from '../plans/index.ts';
import type { OrganizationRow } from './contract.ts';
import { pickOne } from './pick-one.ts';
import { members, organizations } from './table.ts';

/** All organizations, oldest first. */
export async function listOrganizations(ctx: Ctx): Promise<OrganizationRow[]> {
  const rows = await ctx.db.sql
    .select()
    .from(organizations)
    .where(isNull(organizations.deletedAt))
    .orderBy(asc(organizations.createdAt), asc(organizations.id));
  return rows.map(toRow);
}

/** The organization with an id or unambiguous name. Throws AppError 404 or 409. */
export async function findOrganization(ctx: Ctx, given: string): Promise<OrganizationRow> {
  return pickOne('organization', given, await listOrganizations(ctx));
}

/** The plan of an organization; the caller has checked access. */
export async function planOf(ctx: Ctx, organizationId: string): Promise<OrganizationRow['plan']> {
  const [row] = await ctx.db.sql
    .select({ plan: organizations.plan })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (row === undefined) throw notAMember();
  return row.plan;
}

/** Whether this file has an owner. It can be set up only before that. */
export async function hasOwner(ctx: Ctx): Promise<boolean> {
  const rows = await ctx.db.sql
    .select({ id: members.userId })
    .from(members)
    .where(eq(members.role, 'owner'))
    .limit(1);
  return rows.length > 0;
}

function toRow(row: typeof organizations.$inferSelect): OrganizationRow {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    ...limitsOf(row),
    createdAt: formatInstant(row.createdAt.getTime()),
  };
}
