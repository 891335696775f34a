import type { Ctx } from '../../../context.ts';
import { publicUrl } from '../../mail/index.ts';
import { authOf } from '../service.ts';
import { readCookie, setCookie } from '../sessions/cookie.ts';
import type { Identity } from './provider.ts';

/*
 * The browser keeps the ID token of its sign-in, because the issuer ends its session with that as a hint. It is sent to
 * one route only and not stored here. Without it the issuer would ask the person which session to end.
 */
const COOKIE = { name: 'spanledger_issuer', path: '/v1/auth/logout' };
/** Browsers refuse cookies of more than 4,096 bytes. */
const MAX_TOKEN = 3_500;

/** The cookie for a person who signed in with an issuer; none for other providers. */
export function issuerCookies(ctx: Ctx, { provider, idToken }: Identity): string[] {
  if (idToken === undefined) return [];
  const hint = idToken.length > MAX_TOKEN ? '' : idToken;
  const maxAgeSeconds = ctx.config.SESSION_TTL_SECONDS;
  return [setCookie(ctx, { ...COOKIE, value: `${provider}.${hint}`, maxAgeSeconds })];
}

/** The cookie that deletes it. */
export const endedIssuerCookie = (ctx: Ctx): string =>
  setCookie(ctx, { ...COOKIE, value: '', maxAgeSeconds: 0 });

/**
 * Where the browser has to go to sign out at the issuer too; null if it did not sign in there, or the issuer does not
 * support it or is not reachable.
 */
export async function issuerSignOut(ctx: Ctx, request: Request): Promise<string | null> {
  const [id, ...token] = readCookie(ctx, request, COOKIE)?.split('.') ?? [];
  const issuer = authOf(ctx)
    .issuers()
    .find((one) => one.id === id);
  if (issuer === undefined) return null;
  const { signOutUrl } = await import('./oidc-provider.ts');
  const idToken = token.join('.');
  return signOutUrl(ctx, issuer, {
    idToken: idToken === '' ? null : idToken,
    returnTo: `${publicUrl(ctx)}/sign-in`,
  });
}
