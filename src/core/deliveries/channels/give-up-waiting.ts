import { and, eq, inArray } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import { channels, deliveries } from '../table.ts';

/** A statement that ends the waiting deliveries of a channel that was just disabled. They can be retried. */
export function giveUpWaiting(ctx: Ctx, channelId: string): BatchItem<'sqlite'> {
  const disabled = ctx.db.sql
    .select({ id: channels.id })
    .from(channels)
    .where(and(eq(channels.id, channelId), eq(channels.enabled, false)));
  return ctx.db.sql
    .update(deliveries)
    .set({ status: 'failed', finishedAt: new Date(ctx.now()) })
    .where(and(inArray(deliveries.channelId, disabled), eq(deliveries.status, 'pending')));
}
