import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import type { Statements } from '../../../db/batch.ts';
import { updateUser } from '../../orgs/index.ts';
import { users } from '../../orgs/table.ts';
import { passkeys, recoveryCodes, totpFactors } from '../table.ts';
import type { FACTOR_METHODS } from './contract.ts';

export type Totp = typeof totpFactors.$inferSelect;
export type Passkey = typeof passkeys.$inferSelect;

/** Whether a person has a second factor, as SQL over the tables. */
export const hasFactorNow = (userId: string): SQL<number> =>
  sql<number>`(EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId}) OR EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${userId}))`;

/** The statement that sets `users.second_factor`; the last of every change of factors. */
export const noteFactor = (ctx: Ctx, userId: string): BatchItem<'sqlite'> =>
  updateUser(ctx, userId, { secondFactor: hasFactorNow(userId) });

/** Statements that remove all factors of a person. */
export const deleteFactors = (ctx: Ctx, userId: string): Statements => [
  ctx.db.sql.delete(totpFactors).where(eq(totpFactors.userId, userId)),
  ctx.db.sql.delete(passkeys).where(eq(passkeys.userId, userId)),
  ctx.db.sql.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
  noteFactor(ctx, userId),
];

/** Whether a sign-in of this person needs a second factor. */
export async function hasFactor(ctx: Ctx, userId: string): Promise<boolean> {
  const [row] = await ctx.db.sql
    .select({ secondFactor: users.secondFactor })
    .from(users)
    .where(eq(users.id, userId));
  return row?.secondFactor === true;
}

export async function findTotp(ctx: Ctx, userId: string): Promise<Totp | null> {
  const [row] = await ctx.db.sql.select().from(totpFactors).where(eq(totpFactors.userId, userId));
  return row ?? null;
}

/** The passkeys of a person, oldest first. */
export const listPasskeys = (ctx: Ctx, userId: string): Promise<Passkey[]> =>
  ctx.db.sql
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));

export const countRecoveryCodes = (ctx: Ctx, userId: string): Promise<number> =>
  ctx.db.sql.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));

/** The ways in which a person can complete a sign-in. */
export async function methodsOf(ctx: Ctx, userId: string): Promise<(typeof FACTOR_METHODS)[number][]> {
  const [totp, keys, codes] = await Promise.all([
    findTotp(ctx, userId),
    listPasskeys(ctx, userId),
    countRecoveryCodes(ctx, userId),
  ]);
  return [
    ...(totp === null ? [] : (['totp'] as const)),
    ...(keys.length === 0 ? [] : (['passkey'] as const)),
    ...(codes === 0 ? [] : (['recovery_code'] as const)),
  ];
}
