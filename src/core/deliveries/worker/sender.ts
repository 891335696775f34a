import type { Ctx } from '../../../context.ts';
import { mailOf, publicUrl } from '../../mail/index.ts';
import { outboundOf } from '../../outbound/index.ts';
import type { Sent } from '../formats/sent.ts';
import { type Due, listDue, MOST_OF_CHANNEL, nextDue } from './due.ts';
import { recordOutcome } from './record-outcome.ts';
import { sendOnce } from './send-once.ts';

/** Sends due deliveries in the background. */
export type Sender = {
  /** Looks for due deliveries now. */
  wake(): void;
  /** Sends all due deliveries and resolves with their number when none is left. */
  drain(signal: AbortSignal): Promise<number>;
  /** Stops. Attempts under way are repeated after the next start. */
  close(): Promise<void>;
};

/** Attempts at once: in all, of an organization, and to channels that failed last, which mostly wait in vain. */
const MOST = { all: 128, ofOrganization: 16, failing: 48 };
const MIN_TIMER_MS = 100;
const MAX_TIMER_MS = 60_000;
const CLOSING_PATIENCE_MS = 3_000;

/**
 * Creates the sender. An attempt is recorded when it ended: if the process dies before that, the attempt is repeated with
 * the same `webhook-id`. So a notification may arrive twice, but is never lost.
 */
export function createSender(ctx: Ctx): Sender {
  // Opened first, so that they are closed after the sender.
  outboundOf(ctx);
  mailOf(ctx);
  const running = new Map<string, { readonly due: Due; readonly done: Promise<void> }>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let draining: Promise<number> | null = null;
  /** Rings when somebody asks for another look while attempts are under way. */
  let bell = Promise.withResolvers<void>();
  let isRung = false;
  let closed = false;

  function hasPlace({ delivery, channel }: Due): boolean {
    const others = [...running.values()].map(({ due }) => due.channel);
    const ofChannel = others.filter(({ id }) => id === channel.id).length;
    const isFailing = channel.failingSince !== null;
    return (
      !running.has(delivery.id) &&
      running.size < MOST.all &&
      ofChannel < (isFailing ? 1 : MOST_OF_CHANNEL) &&
      others.filter((one) => one.organizationId === channel.organizationId).length < MOST.ofOrganization &&
      !(isFailing && others.filter((one) => one.failingSince !== null).length >= MOST.failing)
    );
  }

  async function startDue(): Promise<number> {
    let started = 0;
    for (const due of await listDue(ctx)) {
      if (closed || !hasPlace(due)) continue;
      started++;
      const done = deliver(ctx, due).finally(() => running.delete(due.delivery.id));
      running.set(due.delivery.id, { due, done });
    }
    return started;
  }

  async function work(signal?: AbortSignal): Promise<number> {
    let sent = 0;
    while (!closed) {
      signal?.throwIfAborted();
      bell = Promise.withResolvers<void>();
      isRung = false;
      sent += await startDue();
      if (running.size === 0 && !isRung) return sent;
      await Promise.race([bell.promise, ...[...running.values()].map(({ done }) => done)]);
    }
    return sent;
  }

  function drain(signal?: AbortSignal): Promise<number> {
    isRung = true;
    bell.resolve();
    draining ??= work(signal).finally(() => {
      draining = null;
      void setTimer();
    });
    return draining;
  }

  async function setTimer(): Promise<void> {
    const at = closed ? null : await nextDue(ctx).catch(() => ctx.now() + MAX_TIMER_MS);
    if (at === null || closed || draining !== null) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(wake, Math.min(MAX_TIMER_MS, Math.max(MIN_TIMER_MS, at - ctx.now())));
    timer.unref();
  }

  function wake(): void {
    if (closed) return;
    drain().catch((error: unknown) => ctx.log.warn({ err: error }, 'sending notifications failed'));
  }

  return {
    wake,
    drain,
    close: async () => {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      await Promise.race([
        Promise.all([...running.values()].map(({ done }) => done)),
        Bun.sleep(CLOSING_PATIENCE_MS),
      ]);
    },
  };
}

const RECORD_TRIES = 5;
const RECORD_PAUSE_MS = 500;

async function deliver(ctx: Ctx, due: Due): Promise<void> {
  const outcome = await sendOnce(ctx, due.channel, toSent(ctx, due));
  if (outcome.interrupted) return;
  // Without a record the attempt is repeated, so a store that is busy for a moment is asked again.
  for (let tries = 1; ; tries++) {
    try {
      return await recordOutcome(ctx, due, outcome);
    } catch (error) {
      ctx.log.warn({ err: error, delivery: due.delivery.id }, 'an attempt was not recorded');
      if (tries === RECORD_TRIES) return;
      await Bun.sleep(RECORD_PAUSE_MS);
    }
  }
}

const toSent = (ctx: Ctx, { delivery }: Due): Sent => ({
  messageId: delivery.messageId,
  type: delivery.type,
  data: delivery.data,
  message: delivery.message,
  at: delivery.createdAt.getTime(),
  origin: publicUrl(ctx),
});
