import { type Ctx, listService, type Service } from '../../context.ts';
import type { Module } from '../../module.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createTransport } from './transport.ts';

const CLOSING_PATIENCE_MS = 3_000;

/** Closing tries for three seconds to send what still waits. */
const mail: Service<Outbox | null> = {
  name: 'mail',
  open: openMail,
  close: (outbox) => outbox?.close(CLOSING_PATIENCE_MS),
};

export const mailModule: Module = { name: 'mail', services: [listService(mail)] };

/** The outbox of a context; null where SMTP_URL is not set. */
export const mailOf = (ctx: Ctx): Outbox | null => ctx.use(mail);

function openMail(ctx: Ctx): Outbox | null {
  const { SMTP_URL, MAIL_FROM } = ctx.config;
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return null;
  return createOutbox({
    deliver: createTransport(SMTP_URL, MAIL_FROM),
    onLost: (failure) => ctx.log.warn({ component: 'mail', ...failure }, 'a mail could not be sent'),
  });
}

/** The address under which people reach the server, without a slash at the end; links start with it. */
export function publicUrl(ctx: Ctx): string {
  return ctx.config.PUBLIC_URL ?? `http://${ctx.config.HOST}:${ctx.config.PORT}`;
}

export type { Mail } from './compose.ts';
export { createOutbox, type Outbox } from './outbox.ts';
