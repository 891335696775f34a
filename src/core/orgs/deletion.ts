import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../context.ts';
import { members, organizations } from './table.ts';

/** The statement that marks an organization as deleted. */
export const markDeleted = (ctx: Ctx, id: string): BatchItem<'sqlite'> =>
  ctx.db.sql
    .update(organizations)
    .set({ deletedAt: new Date(ctx.now()) })
    .where(and(eq(organizations.id, id), isNull(organizations.deletedAt)));

/** The statement that removes all members of an organization. */
export const deleteMembers = (ctx: Ctx, organizationId: string): BatchItem<'sqlite'> =>
  ctx.db.sql.delete(members).where(eq(members.organizationId, organizationId));

/** Ids of the organizations that are marked as deleted, the oldest deletion first. */
export async function listDeletedOrganizations(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.sql
    .select({ id: organizations.id })
    .from(organizations)
    .where(isNotNull(organizations.deletedAt))
    .orderBy(asc(organizations.deletedAt));
  return rows.map(({ id }) => id);
}

/** The statement that removes an organization which is marked as deleted. It fails while another row refers to the organization. */
export const removeOrganization = (ctx: Ctx, id: string): BatchItem<'sqlite'> =>
  ctx.db.sql.delete(organizations).where(and(eq(organizations.id, id), isNotNull(organizations.deletedAt)));
