import { isIP } from 'node:net';
import type { Ctx } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { publicUrl } from '../../mail/index.ts';

/** What passkeys are bound to: a host name, and the origin of the pages that use them (WebAuthn, 5.1.2). */
export type RelyingParty = { readonly rpId: string; readonly origin: string };

/** The address that people use: PUBLIC_URL, or without it the address of the request. */
const ownUrl = (ctx: Ctx, request: Request): URL =>
  new URL(ctx.config.PUBLIC_URL === undefined ? request.url : publicUrl(ctx));

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** Why browsers refuse passkeys at this address, and how to mend it; null if they don't. */
export function passkeyProblem(ctx: Ctx, request: Request): string | null {
  const { hostname, protocol, origin } = ownUrl(ctx, request);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    return `Passkeys need a host name, and ${hostname} is an IP address; open http://localhost on the machine itself, or set PUBLIC_URL to an https address with a name`;
  }
  if (protocol !== 'https:' && !isLocal(hostname))
    return `Passkeys need https; set PUBLIC_URL to the https address of this server (it is ${origin} now)`;
  const opened = request.headers.get('origin');
  if (opened !== null && opened !== origin)
    return `Passkeys of this server work at ${origin}; you opened ${opened.slice(0, 200)}. Open it there, or set PUBLIC_URL to the address in use`;
  return null;
}

/** Throws AppError 409 with the problem. */
export function relyingParty(ctx: Ctx, request: Request): RelyingParty {
  const problem = passkeyProblem(ctx, request);
  if (problem !== null) throw conflict(problem);
  const { hostname, origin } = ownUrl(ctx, request);
  return { rpId: hostname, origin };
}
