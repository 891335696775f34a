import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { DeliveriesPage, Delivery, DeliveryQuery } from './contract.ts';
import { channels, deliveries } from './table.ts';

/** An organization's deliveries, newest first. */
export async function listDeliveries(
  ctx: Ctx,
  organizationId: string,
  { projectId, channelId, status, type, cursor, limit }: DeliveryQuery,
): Promise<DeliveriesPage> {
  if (cursor !== undefined && !cursor.startsWith('dlv_'))
    throw badRequest('cursor was not returned by this endpoint');
  const rows = await selectDeliveries(ctx)
    .where(
      and(
        eq(deliveries.organizationId, organizationId),
        projectId === undefined ? undefined : eq(deliveries.projectId, projectId),
        channelId === undefined ? undefined : eq(deliveries.channelId, channelId),
        status === undefined ? undefined : eq(deliveries.status, status),
        type === undefined ? undefined : eq(deliveries.type, type),
        cursor === undefined ? undefined : lt(deliveries.id, cursor),
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit).map(toDelivery);
  return { deliveries: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** The deliveries of notifications, by channel. */
export async function deliveriesOfMessages(
  ctx: Ctx,
  organizationId: string,
  messageIds: readonly string[],
): Promise<Delivery[]> {
  const rows = await selectDeliveries(ctx)
    .where(and(eq(deliveries.organizationId, organizationId), inArray(deliveries.messageId, [...messageIds])))
    .orderBy(asc(channels.name), asc(deliveries.id));
  return rows.map(toDelivery);
}

/** Deliveries of all organizations that wait for an attempt; `dueAt`: of the first, in epoch milliseconds. */
export async function deliveryBacklog(ctx: Ctx): Promise<{ pending: number; dueAt: number | null }> {
  const [row] = await ctx.db.sql
    .select({ pending: sql<number>`count(*)`, dueAt: sql<number | null>`min(${deliveries.nextAt})` })
    .from(deliveries)
    .where(eq(deliveries.status, 'pending'));
  return row ?? { pending: 0, dueAt: null };
}

/** One delivery; of any organization where none is given. Throws AppError 404. */
export async function findDelivery(ctx: Ctx, id: string, organizationId?: string): Promise<Delivery> {
  return toDelivery(await findDeliveryRow(ctx, id, organizationId));
}

type Row = { delivery: typeof deliveries.$inferSelect; channel: typeof channels.$inferSelect };

/** The same as it is stored. */
export async function findDeliveryRow(ctx: Ctx, id: string, organizationId?: string): Promise<Row> {
  const of = organizationId === undefined ? undefined : eq(deliveries.organizationId, organizationId);
  const [row] = await selectDeliveries(ctx).where(and(eq(deliveries.id, id), of));
  if (row === undefined) throw notFound(`There is no delivery ${id}`);
  return row;
}

const selectDeliveries = (ctx: Ctx) =>
  ctx.db.sql
    .select({ delivery: deliveries, channel: channels })
    .from(deliveries)
    .innerJoin(channels, eq(channels.id, deliveries.channelId));

function toDelivery({ delivery, channel }: Row): Delivery {
  const { id, messageId, channelId, projectId, type, status, log, nextAt, createdAt, finishedAt } = delivery;
  return {
    id,
    messageId,
    channelId,
    channel: channel.name,
    kind: channel.kind,
    projectId,
    type,
    title: delivery.message.title,
    status,
    attempts: [...log],
    nextAt: status === 'pending' ? formatInstant(nextAt.getTime()) : null,
    createdAt: formatInstant(createdAt.getTime()),
    finishedAt: finishedAt === null ? null : formatInstant(finishedAt.getTime()),
  };
}
