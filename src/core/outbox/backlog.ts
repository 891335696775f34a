import { sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { outbox } from './table.ts';

/** Events between modules that wait for a follower, and those that were given up in the last month. */
export async function outboxBacklog(ctx: Ctx): Promise<{ pending: number; givenUp: number }> {
  const [row] = await ctx.db.sql
    .select({
      pending: sql<number>`count(*) - count(${outbox.failedAt})`,
      givenUp: sql<number>`count(${outbox.failedAt})`,
    })
    .from(outbox);
  return row ?? { pending: 0, givenUp: 0 };
}
