import { and, asc, eq, isNotNull, or } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { badRequest, notFound } from '../../../errors.ts';
import { formatInstant } from '../../../lib/time.ts';
import { channels } from '../table.ts';
import type { Channel } from './contract.ts';

export type ChannelRow = typeof channels.$inferSelect;

/** An organization's channels by name. */
export async function listChannels(ctx: Ctx, organizationId: string): Promise<Channel[]> {
  const rows = await ctx.db.sql
    .select()
    .from(channels)
    .where(eq(channels.organizationId, organizationId))
    .orderBy(asc(channels.name), asc(channels.id));
  return rows.map(toChannel);
}

/** Channels of all organizations that fail, or that the product disabled because they failed. */
export async function listTroubledChannels(ctx: Ctx): Promise<Channel[]> {
  const rows = await ctx.db.sql
    .select()
    .from(channels)
    .where(or(isNotNull(channels.failingSince), isNotNull(channels.disabledReason)))
    .orderBy(asc(channels.name), asc(channels.id));
  return rows.map(toChannel);
}

/** Throws AppError 400 if a channel is not the organization's. @param ids what `channelIds` of a body names */
export async function checkChannels(ctx: Ctx, organizationId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set((await listChannels(ctx, organizationId)).map(({ id }) => id));
  const foreign = ids.find((id) => !known.has(id));
  if (foreign !== undefined)
    throw badRequest(
      `channelIds: the organization has no channel ${foreign}; GET /v1/channels lists those that it has`,
    );
}

/** One channel; of any organization where none is given. Throws AppError 404. */
export async function findChannel(ctx: Ctx, id: string, organizationId?: string): Promise<ChannelRow> {
  const of = organizationId === undefined ? undefined : eq(channels.organizationId, organizationId);
  const [row] = await ctx.db.sql
    .select()
    .from(channels)
    .where(and(eq(channels.id, id), of));
  if (row === undefined) throw notFound(`There is no channel ${id}`);
  return row;
}

const iso = (at: Date | null): string | null => (at === null ? null : formatInstant(at.getTime()));

/** A channel as it is shown, without its secrets. */
export function toChannel(row: ChannelRow): Channel {
  const { sealed, settings, types, failingSince, lastDeliveredAt, createdAt, updatedAt, ...shown } = row;
  const { url: _, ...config } = settings;
  return {
    ...shown,
    config,
    types: [...types],
    failingSince: iso(failingSince),
    lastDeliveredAt: iso(lastDeliveredAt),
    createdAt: formatInstant(createdAt.getTime()),
    updatedAt: formatInstant(updatedAt.getTime()),
  };
}
