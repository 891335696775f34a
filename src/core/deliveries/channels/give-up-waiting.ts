import { and, eq } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import { deliveries } from '../table.ts';

/** A statement that ends the waiting deliveries of a channel that is being disabled. They can be retried. */
export const giveUpWaiting = (ctx: Ctx, channelId: string): BatchItem<'sqlite'> =>
  ctx.db.sql
    .update(deliveries)
    .set({ status: 'failed', finishedAt: new Date(ctx.now()) })
    .where(and(eq(deliveries.channelId, channelId), eq(deliveries.status, 'pending')));
