import { createHash, randomBytes } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import { and, eq, isNull } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import { recoveryCodes } from '../table.ts';

const CODES = 10;
/** 80 bits: too many to guess, so a plain hash is enough. */
const BYTES = 10;

const hashCode = (userId: string, code: string): string =>
  createHash('sha256')
    .update(`${userId}:${code.toUpperCase().replace(/[\s-]/g, '')}`)
    .digest('hex');

/** A code such as `ABCD-EFGH-IJKL-MNOP`. */
const newCode = (): string =>
  (base32.encode(randomBytes(BYTES), { padding: false }).match(/.{4}/g) ?? []).join('-');

/** Ten new codes, and the statements that replace the earlier ones. Only hashes are stored. */
export function newRecoveryCodes(
  ctx: Ctx,
  userId: string,
): { codes: string[]; statements: [BatchItem<'sqlite'>, BatchItem<'sqlite'>] } {
  const codes = Array.from({ length: CODES }, newCode);
  return {
    codes,
    statements: [
      deleteRecoveryCodes(ctx, userId),
      ctx.db.sql
        .insert(recoveryCodes)
        .values(codes.map((code) => ({ userId, hash: hashCode(userId, code) }))),
    ],
  };
}

export const deleteRecoveryCodes = (ctx: Ctx, userId: string): BatchItem<'sqlite'> =>
  ctx.db.sql.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));

/** The statement that uses a code up; it changes no row if the code is wrong or was used. */
export const useRecoveryCode = (ctx: Ctx, userId: string, code: string): BatchItem<'sqlite'> =>
  ctx.db.sql
    .update(recoveryCodes)
    .set({ usedAt: new Date(ctx.now()) })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.hash, hashCode(userId, code)),
        isNull(recoveryCodes.usedAt),
      ),
    );
