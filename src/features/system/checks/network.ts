import type { Ctx } from '../../../context.ts';
import { forwardedNotice, forwardedText } from '../../../http/forwarded-notice.ts';
import type { Finding } from '../contract.ts';
import { ok, warn } from './findings.ts';

const loopback = /^(127\.|::1$|localhost$)/;

/** How others reach the server. */
export function checkNetwork(ctx: Ctx): Finding[] {
  const { HOST, PUBLIC_URL, SMTP_URL } = ctx.config;
  const found: Finding[] = [];
  if (!loopback.test(HOST) && PUBLIC_URL?.startsWith('https:') !== true)
    found.push(
      warn(
        'network',
        `The server listens on ${HOST} without TLS`,
        'Put a proxy with TLS in front of it, and set PUBLIC_URL to its https address',
      ),
    );
  if (SMTP_URL !== undefined && PUBLIC_URL === undefined)
    found.push(
      warn('network', 'Links in mails lead to this machine', "Set PUBLIC_URL to the server's public address"),
    );
  const { first } = ctx.use(forwardedNotice);
  if (first !== null)
    found.push(
      warn('proxy', forwardedText(first.peer), 'Set TRUSTED_PROXIES to the addresses of your proxies'),
    );
  return found.length > 0 ? found : [ok('network', `The server is reached at ${PUBLIC_URL ?? HOST}`)];
}
