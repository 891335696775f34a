import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { SQLiteInsertValue, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import type { Ctx } from '../../context.ts';
import type { Membership } from './members.ts';
import { members, organizations, users } from './table.ts';

// Statements for changes that other modules commit together with rows of their own.

export const insertOrganization = (
  ctx: Ctx,
  row: SQLiteInsertValue<typeof organizations>,
): BatchItem<'sqlite'> => ctx.db.sql.insert(organizations).values(row);

export const insertMember = (ctx: Ctx, row: SQLiteInsertValue<typeof members>): BatchItem<'sqlite'> =>
  ctx.db.sql.insert(members).values(row);

export const insertUser = (ctx: Ctx, row: SQLiteInsertValue<typeof users>): BatchItem<'sqlite'> =>
  ctx.db.sql.insert(users).values(row);

export const updateUser = (
  ctx: Ctx,
  id: string,
  set: SQLiteUpdateSetSource<typeof users>,
): BatchItem<'sqlite'> => ctx.db.sql.update(users).set(set).where(eq(users.id, id));

export const updateMember = (
  ctx: Ctx,
  { userId, organizationId }: Membership,
  set: SQLiteUpdateSetSource<typeof members>,
): BatchItem<'sqlite'> =>
  ctx.db.sql
    .update(members)
    .set(set)
    .where(and(eq(members.userId, userId), eq(members.organizationId, organizationId)));

/** True while nobody owns an organization of this file. */
export const nobodyOwns: SQL = sql`NOT EXISTS (SELECT 1 FROM members WHERE role = 'owner')`;

/** Lets all memberships of a person begin anew, which ends the access tokens of the time before. */
export const renewMemberships = (ctx: Ctx, userId: string, where: SQL): BatchItem<'sqlite'> =>
  ctx.db.sql
    .update(members)
    .set({ createdAt: sql`max(${members.createdAt} + 1, ${ctx.now()})` })
    .where(and(eq(members.userId, userId), where));

/** Organizations that a person owns and nobody else does. */
const ownedAlone = (userId: string): SQL =>
  sql`FROM members AS own JOIN organizations AS org ON org.id = own.organization_id AND org.deleted_at IS NULL
    WHERE own.user_id = ${userId} AND own.role = 'owner' AND NOT EXISTS (SELECT 1 FROM members AS other
      WHERE other.organization_id = own.organization_id AND other.role = 'owner' AND other.user_id <> ${userId})`;

/** Names of the organizations that a person owns alone, sorted. */
export async function listOwnedAlone(ctx: Ctx, userId: string): Promise<string[]> {
  const rows = await ctx.db.sql.all<{ name: string }>(
    sql`SELECT org.name AS name ${ownedAlone(userId)} ORDER BY org.name`,
  );
  return rows.map(({ name }) => name);
}

/** Deletes a person, with all rows that belong to them, unless they own an organization alone. */
export const deleteUser = (ctx: Ctx, userId: string): BatchItem<'sqlite'> =>
  ctx.db.sql.delete(users).where(and(eq(users.id, userId), sql`NOT EXISTS (SELECT 1 ${ownedAlone(userId)})`));

/** True while nobody has confirmed the address of a person. */
export const isUnconfirmed = (userId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND email_verified = 0)`;
