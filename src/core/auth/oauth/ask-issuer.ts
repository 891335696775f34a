import type { Outbound } from '../../outbound/index.ts';
import type { AskIssuer } from './openid.ts';

/**
 * The operator chose the issuer, so its own address may be one of the internal network. Endpoints elsewhere, which its
 * discovery document names, must be public or listed in OUTBOUND_ALLOW.
 */
export function askIssuer(outbound: Outbound, issuer: string): AskIssuer {
  const trustedOrigin = new URL(issuer).origin;
  return (url, init) => outbound.fetch(url, { ...init, trustedOrigin });
}
