import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { commitChange } from '../../audit/index.ts';
import { mailRequested, publicUrl, quoteName } from '../../mail/index.ts';
import { listMembers } from '../../orgs/index.ts';
import { outboxStatement, outboxWritten } from '../../outbox/index.ts';
import { giveUpWaiting } from '../channels/give-up-waiting.ts';
import type { ChannelRow } from '../channels/queries.ts';
import { channelSubject } from '../channels/subject.ts';
import type { Attempt } from '../contract.ts';
import { channels, deliveries } from '../table.ts';
import type { Due } from './due.ts';
import { delayAfter } from './schedule.ts';
import type { Outcome } from './send-once.ts';

/** Attempts that are shown. */
const MAX_LOG = 20;
/** A channel is disabled after failures for that long, or when a delivery used up its attempts meanwhile. */
const MAX_FAILING_MS = 5 * DAY_MS;
const LEAST_FAILING_MS = 2 * DAY_MS;

/** Records an attempt: the delivery arrived, waits for the next attempt or is given up, and so on for its channel. */
export async function recordOutcome(ctx: Ctx, { delivery, channel }: Due, outcome: Outcome): Promise<void> {
  const now = new Date(ctx.now());
  // An attempt that was made early, for a newer delivery of the subject, is none of the schedule.
  const earlyMs = Math.max(0, delivery.nextAt.getTime() - Date.parse(outcome.at));
  const attempts = delivery.attempts + (earlyMs > 0 ? 0 : 1);
  const { at, durationMs, status, error, ok } = outcome;
  const log: Attempt[] = [...delivery.log, { at, durationMs, status, error }].slice(-MAX_LOG);
  const delay = outcome.final
    ? null
    : earlyMs > 0
      ? earlyMs
      : delayAfter(attempts, Math.random(), outcome.askedMs);
  const state = ok
    ? { status: 'delivered' as const, finishedAt: now }
    : delay === null || outcome.gone
      ? { status: 'failed' as const, finishedAt: now }
      : { nextAt: new Date(now.getTime() + delay) };
  const record = ctx.db.sql
    .update(deliveries)
    .set({ attempts, log, ...state })
    .where(and(eq(deliveries.id, delivery.id), eq(deliveries.status, 'pending')));
  const reason = ok ? null : reasonToDisable(channel, { now, isLast: delay === null, outcome });
  if (reason !== null) return disable(ctx, channel, { reason, record });
  const next = 'nextAt' in state ? state.nextAt : now;
  await ctx.db.sql.batch([record, delayNewer(ctx, delivery, next), noteHealth(ctx, channel, now, ok)]);
}

/** Newer deliveries of the subject wait for this one: until its next attempt, or no longer after its last one. */
const delayNewer = (
  ctx: Ctx,
  { id, channelId, message }: Due['delivery'],
  until: Date,
): BatchItem<'sqlite'> =>
  ctx.db.sql
    .update(deliveries)
    .set({ nextAt: until })
    .where(
      and(
        eq(deliveries.channelId, channelId),
        eq(deliveries.status, 'pending'),
        sql`message ->> '$.subject' = ${message.subject}`,
        eq(deliveries.attempts, 0),
        ne(deliveries.id, id),
      ),
    );

/** When the channel worked last, or since when it fails. */
const noteHealth = (ctx: Ctx, { id }: ChannelRow, now: Date, ok: boolean): BatchItem<'sqlite'> =>
  ok
    ? ctx.db.sql.update(channels).set({ lastDeliveredAt: now, failingSince: null }).where(eq(channels.id, id))
    : ctx.db.sql
        .update(channels)
        .set({ failingSince: now })
        .where(and(eq(channels.id, id), isNull(channels.failingSince)));

type Failure = { readonly now: Date; readonly isLast: boolean; readonly outcome: Outcome };

function reasonToDisable(
  { failingSince }: ChannelRow,
  { now, isLast, outcome }: Failure,
): 'gone' | 'failing' | null {
  if (outcome.gone) return 'gone';
  if (outcome.final || failingSince === null) return null;
  const failingMs = now.getTime() - failingSince.getTime();
  return failingMs >= MAX_FAILING_MS || (isLast && failingMs >= LEAST_FAILING_MS) ? 'failing' : null;
}

const WHY = {
  gone: 'Its endpoint replied 410, which means that it wants no more notifications.',
  failing: 'All attempts to deliver to it failed for days.',
} as const;

/** Disables a channel, gives up its deliveries and tells the owners and admins by mail, in one transaction. */
async function disable(
  ctx: Ctx,
  channel: ChannelRow,
  { reason, record }: { readonly reason: 'gone' | 'failing'; readonly record: BatchItem<'sqlite'> },
): Promise<void> {
  const { id, organizationId, name } = channel;
  const people = await listMembers(ctx, organizationId);
  const mail = {
    subject: `The channel ${quoteName(name)} was disabled`,
    paragraphs: [
      `The channel ${quoteName(name)} gets no more notifications. ${WHY[reason]}`,
      'Correct it on the page Channels, send a test and enable it again. Its deliveries can be retried on the page Deliveries.',
    ],
    action: { label: 'Open Spanledger', url: publicUrl(ctx) },
  };
  await commitChange(
    ctx,
    { kind: 'system', name: 'deliveries' },
    {
      statements: [
        ctx.db.sql
          .update(channels)
          .set({ enabled: false, disabledReason: reason, updatedAt: new Date(ctx.now()) })
          .where(and(eq(channels.id, id), eq(channels.enabled, true))),
        record,
        giveUpWaiting(ctx, id),
        ...people
          .filter(({ role }) => role === 'owner' || role === 'admin')
          .map(({ email }) => outboxStatement(ctx, mailRequested, { to: email, ...mail })),
      ],
      audit: [{ action: 'channel.disabled', organizationId, subject: { of: channelSubject, id } }],
    },
  );
  ctx.log.warn({ channel: id, reason }, 'a channel was disabled');
  ctx.emit(outboxWritten);
}
