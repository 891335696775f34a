import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import type { ChannelRow } from '../channels/queries.ts';
import { channels, deliveries } from '../table.ts';

/** A delivery with its channel. */
export type Due = { readonly delivery: typeof deliveries.$inferSelect; readonly channel: ChannelRow };

/** At once to one channel; the oldest ones first. */
export const MOST_OF_CHANNEL = 4;
const MAX_ROWS = 512;

/**
 * Due deliveries, at most a few of each channel, so that many waiting ones of one channel do not hide those of others, and
 * as many of each organization, so that many channels of one do not hide those of another. An index leads from channel to
 * channel, so the time does not depend on the number of waiting deliveries.
 *
 * What is told about one subject arrives in order, because a late "fired" after its "resolved" would be wrong: in place of a
 * delivery whose subject has an older one waiting comes the older one, even before it is due.
 */
export async function listDue(ctx: Ctx): Promise<Due[]> {
  const ids = await ctx.db.sql.all<{ id: string }>(sql`
    WITH RECURSIVE waiting (channel_id) AS (
      SELECT min(channel_id) FROM deliveries WHERE status = 'pending'
      UNION ALL
      SELECT (SELECT min(channel_id) FROM deliveries WHERE status = 'pending' AND channel_id > waiting.channel_id)
      FROM waiting WHERE waiting.channel_id IS NOT NULL
    )
    SELECT d.id FROM waiting JOIN deliveries AS d ON d.id IN (
      SELECT (
        SELECT first.id FROM deliveries AS first
        WHERE first.channel_id = due.channel_id AND first.status = 'pending'
          AND first.message ->> '$.subject' = due.message ->> '$.subject'
        ORDER BY first.rowid LIMIT 1
      )
      FROM (
        SELECT channel_id, message FROM deliveries
        WHERE channel_id = waiting.channel_id AND status = 'pending' AND next_at <= ${ctx.now()}
        ORDER BY next_at, rowid LIMIT ${MOST_OF_CHANNEL}
      ) AS due
    )
    ORDER BY row_number() OVER (PARTITION BY d.organization_id ORDER BY d.next_at, d.id), d.next_at, d.id
    LIMIT ${MAX_ROWS}`);
  if (ids.length === 0) return [];
  return ctx.db.sql
    .select({ delivery: deliveries, channel: channels })
    .from(deliveries)
    .innerJoin(channels, eq(channels.id, deliveries.channelId))
    .where(
      and(
        inArray(
          deliveries.id,
          ids.map(({ id }) => id),
        ),
        eq(deliveries.status, 'pending'),
      ),
    )
    .orderBy(deliveries.nextAt, deliveries.id);
}

/** When the next attempt is due, in epoch milliseconds; null if none is waiting. */
export async function nextDue(ctx: Ctx): Promise<number | null> {
  const [row] = await ctx.db.sql
    .select({ at: sql<number | null>`min(${deliveries.nextAt})` })
    .from(deliveries)
    .where(eq(deliveries.status, 'pending'));
  return row?.at ?? null;
}
