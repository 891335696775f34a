import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { badRequest, conflict } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import { channels } from '../table.ts';
import type { Channel, ChannelInput, CreatedChannel } from './contract.ts';
import { giveUpWaiting } from './give-up-waiting.ts';
import { findChannel, toChannel } from './queries.ts';
import { readConfig } from './read-config.ts';
import { sealSecrets, unsealSecrets } from './secrets.ts';
import { channelSubject } from './subject.ts';

const MAX_CHANNELS = 50;

/**
 * Creates a channel.
 * @throws AppError 400 for wrong settings, 409 for a name that exists or too many channels
 */
export async function createChannel(
  ctx: Ctx,
  actor: Actor,
  { organizationId, input }: { readonly organizationId: string; readonly input: ChannelInput },
): Promise<CreatedChannel> {
  const now = new Date(ctx.now());
  const id = newId('chn', now.getTime());
  const { target, settings, secrets } = readConfig(ctx, input, {});
  const { name, kind, enabled, types } = input;
  const row = { name, kind, enabled, types, target, settings, sealed: sealSecrets(ctx, id, secrets) };
  await commitNamed(ctx, actor, {
    statement: ctx.db.sql
      .insert(channels)
      .values({ ...row, id: ifFew(id, organizationId), organizationId, createdAt: now, updatedAt: now }),
    audit: { action: 'channel.created', organizationId, subject: { of: channelSubject, id } },
  });
  return { ...toChannel(await findChannel(ctx, id)), secret: secrets.secret ?? null };
}

/**
 * Replaces a channel. Enabling one that the server disabled forgets its failures.
 * @throws AppError 400 for wrong settings or another kind, 404, 409 for a name that exists or if a concurrent change won
 */
export async function updateChannel(
  ctx: Ctx,
  actor: Actor,
  { organizationId, id, input }: { organizationId: string; id: string; input: ChannelInput },
): Promise<Channel> {
  const before = await findChannel(ctx, id, organizationId);
  const { name, kind, enabled, types } = input;
  if (kind !== before.kind) throw badRequest(`kind: it is ${before.kind} and cannot be changed`);
  const { target, settings, secrets } = readConfig(ctx, input, unsealSecrets(ctx, before) ?? {});
  const revived = enabled && !before.enabled ? { disabledReason: null, failingSince: null } : {};
  const row = { name, enabled, types, target, settings, sealed: sealSecrets(ctx, id, secrets), ...revived };
  const changed = await commitNamed(ctx, actor, {
    statement: ctx.db.sql
      .update(channels)
      .set({ ...row, updatedAt: new Date(ctx.now()) })
      .where(
        and(
          eq(channels.id, id),
          eq(channels.organizationId, organizationId),
          // A secret that was rotated at the same time must stay.
          before.sealed === null ? isNull(channels.sealed) : eq(channels.sealed, before.sealed),
        ),
      ),
    more: enabled ? [] : [giveUpWaiting(ctx, id)],
    audit: { action: 'channel.updated', organizationId, subject: { of: channelSubject, id } },
  });
  if (changed === 0) throw conflict('The channel was changed at the same time; try again');
  return toChannel(await findChannel(ctx, id));
}

type Change = Parameters<typeof commitChange>[2];

/** @returns how many channels changed */
async function commitNamed(
  ctx: Ctx,
  actor: Actor,
  change: {
    statement: Change['statements'][number];
    more?: Change['statements'];
    audit: Change['audit'][number];
  },
): Promise<number> {
  const { statement, more = [], audit } = change;
  try {
    const [changed = 0] = await commitChange(ctx, actor, {
      statements: [statement, ...more],
      audit: [audit],
    });
    return changed;
  } catch (error) {
    const columns = brokenConstraint(error)?.columns ?? [];
    if (columns.includes('channels.name')) throw conflict('name: another channel has this name');
    if (columns.includes('channels.id'))
      throw conflict(`An organization has at most ${MAX_CHANNELS} channels; delete some`);
    throw error;
  }
}

/** The id, or null, which is not allowed, if the organization has too many channels when the row is written. */
const ifFew = (id: string, organizationId: string) =>
  sql<string>`(SELECT ${id} WHERE ${MAX_CHANNELS} > (SELECT count(*) FROM channels WHERE organization_id = ${organizationId}))`;
