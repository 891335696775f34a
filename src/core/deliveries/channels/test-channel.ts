import type { Ctx, Service } from '../../../context.ts';
import { newId } from '../../../db/new-id.ts';
import { rateLimited } from '../../../errors.ts';
import { createSlidingWindow, type SlidingWindow } from '../../../lib/sliding-window.ts';
import type { Actor } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import { publicUrl } from '../../mail/index.ts';
import { sendOnce } from '../worker/send-once.ts';
import type { TestOutcome } from './contract.ts';
import type { ChannelRow } from './queries.ts';
import { channelSubject } from './subject.ts';

/** Tests of an organization in a minute, because each may send mail to anybody. */
const LIMIT = { limit: 10, windowMs: 60_000, maxKeys: 10_000, whenFull: 'forget' } as const;
export const testLimit: Service<SlidingWindow> = {
  name: 'deliveries.test_limit',
  open: () => createSlidingWindow(LIMIT),
};

/**
 * Sends one message with one attempt, also to a disabled channel. It is audited before it is sent.
 * @throws AppError 429 for more than 10 a minute of an organization
 */
export async function testChannel(ctx: Ctx, actor: Actor, channel: ChannelRow): Promise<TestOutcome> {
  const { id, organizationId, name } = channel;
  const now = ctx.now();
  const hit = ctx.use(testLimit).hit(organizationId, now);
  if (!hit.ok) throw rateLimited(hit.retryAfterSeconds);
  await commitChange(ctx, actor, {
    statements: [],
    audit: [{ action: 'channel.tested', organizationId, subject: { of: channelSubject, id } }],
  });
  const { at, durationMs, status, error, ok } = await sendOnce(ctx, channel, {
    messageId: newId('msg', now),
    type: 'channel.test',
    data: { channel: { id, name } },
    message: {
      title: 'Test message of Spanledger',
      text: `The channel ${name} works: its notifications arrive here.`,
      facts: [{ label: 'Channel', value: name }],
      severity: 'info',
      subject: `channel ${id}`,
      link: { label: 'Open Spanledger', path: '/' },
    },
    at: now,
    origin: publicUrl(ctx),
  });
  return { at, durationMs, status, error, ok };
}
