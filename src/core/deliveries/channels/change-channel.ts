import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import type { Actor } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import { channels } from '../table.ts';
import { findChannel } from './queries.ts';
import { newSigningSecret, sealSecrets, unsealSecrets } from './secrets.ts';
import { channelSubject } from './subject.ts';

type Of = { readonly organizationId: string; readonly id: string };

const isOne = ({ organizationId, id }: Of) =>
  and(eq(channels.id, id), eq(channels.organizationId, organizationId));

/** How long the previous signing secret of a webhook signs too. */
const GRACE_MS = DAY_MS;

/**
 * Gives a webhook a new signing secret; the previous one signs too for 24 hours.
 * @throws AppError 404; 409 for another kind, if the URL cannot be read, or if a concurrent change won
 */
export async function rotateSecret(
  ctx: Ctx,
  actor: Actor,
  of: Of,
): Promise<{ secret: string; previousValidUntil: string }> {
  const row = await findChannel(ctx, of.id, of.organizationId);
  if (row.kind !== 'webhook')
    throw conflict(`Only webhooks have a signing secret; ${row.name} is ${row.kind}`);
  const before = unsealSecrets(ctx, row);
  if (before === null)
    throw conflict(
      'The URL of the channel cannot be read, because the server has another secret. Set it again, then rotate',
    );
  const secret = newSigningSecret();
  const until = ctx.now() + GRACE_MS;
  const previous = before.secret === undefined ? {} : { previous: { secret: before.secret, until } };
  const secrets = { ...before, secret, ...previous };
  const sealed = sealSecrets(ctx, of.id, secrets);
  const unchanged = eq(channels.sealed, row.sealed ?? '');
  const [changed] = await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .update(channels)
        .set({ sealed, settings: {}, updatedAt: new Date(ctx.now()) })
        .where(and(isOne(of), unchanged)),
    ],
    audit: [
      {
        action: 'channel.secret_rotated',
        organizationId: of.organizationId,
        subject: { of: channelSubject, id: of.id },
      },
    ],
  });
  if (changed === 0) throw conflict('The channel was changed at the same time; try again');
  return { secret, previousValidUntil: formatInstant(until) };
}

/** Deletes a channel with its deliveries. Throws AppError 404. */
export async function deleteChannel(ctx: Ctx, actor: Actor, of: Of): Promise<void> {
  await findChannel(ctx, of.id, of.organizationId);
  await commitChange(ctx, actor, {
    statements: [ctx.db.sql.delete(channels).where(isOne(of))],
    audit: [
      {
        action: 'channel.deleted',
        organizationId: of.organizationId,
        subject: { of: channelSubject, id: of.id },
      },
    ],
  });
}
