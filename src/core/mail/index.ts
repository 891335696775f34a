import type { Ctx } from '../../context.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createTransport } from './transport.ts';

const outboxes = new WeakMap<Ctx, Outbox>();

/** The outbox of a context, made when first asked for; null where SMTP_URL is not set. */
export function mailOf(ctx: Ctx): Outbox | null {
  const { SMTP_URL, MAIL_FROM } = ctx.config;
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return null;
  const known = outboxes.get(ctx);
  if (known !== undefined) return known;
  const outbox = createOutbox({
    deliver: createTransport(SMTP_URL, MAIL_FROM),
    onLost: (failure) => ctx.log.warn({ component: 'mail', ...failure }, 'a mail could not be sent'),
  });
  outboxes.set(ctx, outbox);
  return outbox;
}

/** The address under which people reach the server, without a slash at the end; links start with it. */
export function publicUrl(ctx: Ctx): string {
  return ctx.config.PUBLIC_URL ?? `http://${ctx.config.HOST}:${ctx.config.PORT}`;
}

const CLOSING_PATIENCE_MS = 3_000;

/** Tries for three seconds to send what still waits. */
export async function closeMail(ctx: Ctx): Promise<void> {
  await outboxes.get(ctx)?.close(CLOSING_PATIENCE_MS);
}

export type { Mail } from './compose.ts';
export { createOutbox, type Outbox } from './outbox.ts';
