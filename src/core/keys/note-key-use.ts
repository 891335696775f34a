import { eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { apiKeys } from './table.ts';

/** Records when a key was last used; `at` in epoch milliseconds. */
export async function noteKeyUse(ctx: Ctx, keyId: string, at: number): Promise<void> {
  await ctx.db.sql
    .update(apiKeys)
    .set({ lastUsedAt: new Date(at) })
    .where(eq(apiKeys.id, keyId));
}
