import { type Ctx, defineDurableEvent, listService, type Service } from '../../context.ts';
import { follow, type Module } from '../../module.ts';
import type { Mail } from './compose.ts';
import { createMailQueue, type MailQueue } from './mail-queue.ts';
import { createTransport } from './transport.ts';

const CLOSING_PATIENCE_MS = 3_000;

/** On close, queued mails are sent for at most three seconds. */
const mail: Service<MailQueue | null> = {
  name: 'mail',
  open: openMail,
  close: (queue) => queue?.close(CLOSING_PATIENCE_MS),
};

/**
 * A mail that must arrive even if the process ends. Not for mails with secret links, because the outbox stores it in the
 * file. Without SMTP_URL it is dropped.
 */
export const mailRequested = defineDurableEvent<Mail>('mail.requested');

export const mailModule: Module = {
  name: 'mail',
  services: [listService(mail)],
  on: [
    follow(mailRequested, async (ctx, requested) => {
      await mailOf(ctx)?.deliver(requested);
      return 'done';
    }),
  ],
};

/** The mail queue of a context; null if SMTP_URL is not set. */
export const mailOf = (ctx: Ctx): MailQueue | null => ctx.use(mail);

function openMail(ctx: Ctx): MailQueue | null {
  const { SMTP_URL, MAIL_FROM } = ctx.config;
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return null;
  return createMailQueue({
    deliver: createTransport(SMTP_URL, MAIL_FROM),
    onLost: (failure) => ctx.log.warn({ component: 'mail', ...failure }, 'a mail could not be sent'),
  });
}

/** The public address of the server, without a trailing slash; links start with it. */
export function publicUrl(ctx: Ctx): string {
  return ctx.config.PUBLIC_URL ?? `http://${ctx.config.HOST}:${ctx.config.PORT}`;
}

export type { Mail } from './compose.ts';
export { createMailQueue, type MailQueue } from './mail-queue.ts';
export { plainValue, quoteName } from './quote-name.ts';
export type { MailTable } from './tables.ts';
