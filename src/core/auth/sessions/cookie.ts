import type { Ctx } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { publicUrl } from '../../mail/index.ts';

const NAME = 'spanledger_session';

const isHttps = (ctx: Ctx): boolean => ctx.config.PUBLIC_URL?.startsWith('https:') === true;

/** A cookie's name, and the path that it is sent to; default `/`. */
type Named = { readonly name: string; readonly path?: string };

/**
 * With `__Host-` a browser restricts the cookie to this host and https; subdomains cannot set it. The prefix allows only
 * the path `/`; for others there is `__Secure-` (RFC 6265bis).
 */
function nameOf(ctx: Ctx, { name, path = '/' }: Named): string {
  if (!isHttps(ctx)) return name;
  return path === '/' ? `__Host-${name}` : `__Secure-${name}`;
}

/** One `Set-Cookie` value: hidden from scripts, not sent with other sites' requests, for this host only. */
export function setCookie(
  ctx: Ctx,
  { value, maxAgeSeconds, ...named }: Named & { value: string; maxAgeSeconds: number },
): string {
  const secure = isHttps(ctx) ? '; Secure' : '';
  const { path = '/' } = named;
  return `${nameOf(ctx, named)}=${encodeURIComponent(value)}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The value of a cookie, or null. */
export function readCookie(ctx: Ctx, request: Request, named: Named): string | null {
  const start = `${nameOf(ctx, named)}=`;
  const parts = request.headers.get('cookie')?.slice(0, 8_192).split(/; */) ?? [];
  return parts.find((part) => part.startsWith(start))?.slice(start.length) ?? null;
}

/** The cookie that keeps a signed bearer token until `expiresAt` (epoch milliseconds). */
export const sessionCookie = (ctx: Ctx, bearer: string, expiresAt: number): string =>
  setCookie(ctx, {
    name: NAME,
    value: bearer,
    maxAgeSeconds: Math.max(0, Math.floor((expiresAt - ctx.now()) / 1000)),
  });

/** The cookie that deletes the browser's session cookie. */
export const endedSessionCookie = (ctx: Ctx): string =>
  setCookie(ctx, { name: NAME, value: '', maxAgeSeconds: 0 });

/** The signed bearer token in the request's cookie, still escaped; null without one. */
export const readSessionCookie = (ctx: Ctx, request: Request): string | null =>
  readCookie(ctx, request, { name: NAME });

/**
 * Refuses a request that another site may have caused. Browsers send the site as `Origin` with every request except a
 * plain GET.
 * @throws AppError 403
 */
export function requireSameOrigin(ctx: Ctx, request: Request): void {
  const origin = request.headers.get('origin');
  const own = ctx.config.PUBLIC_URL === undefined ? hostOrigin(request) : new URL(publicUrl(ctx)).origin;
  const same = origin === null ? request.headers.get('sec-fetch-site') === 'same-origin' : origin === own;
  if (same) return;
  throw new AppError(
    403,
    `This came from another site than ${own}; open it there, set PUBLIC_URL to the address in use, or send a bearer token`,
  );
}

const hostOrigin = (request: Request): string => new URL(request.url).origin;
