import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { readCookie, setCookie } from '../sessions/cookie.ts';

const COOKIE = 'spanledger_oauth';
const LIFETIME_MS = 10 * 60_000;

const shape = z.object({
  /** The value that the provider must return (RFC 6749, 10.12). */
  state: z.string(),
  /** Proves that the code is redeemed by the client that requested it (RFC 7636). */
  codeVerifier: z.string(),
  /** Ties the ID token to this browser (OpenID Connect Core, 15.5.2). */
  nonce: z.string(),
  provider: z.string(),
  /** The path of this server to open after the sign-in. */
  next: z.string(),
  /** Epoch milliseconds. */
  expiresAt: z.number(),
});
export type OAuthState = z.infer<typeof shape>;

const signature = (ctx: Ctx, text: string): Buffer =>
  createHmac('sha256', ctx.secret).update(`oauth-state:${text}`).digest();

/** Begins a sign-in: its state, and the cookie that keeps the state in the browser for ten minutes. */
export function beginState(
  ctx: Ctx,
  of: Pick<OAuthState, 'provider' | 'next'>,
): { state: OAuthState; cookie: string } {
  const state = {
    ...of,
    state: randomBytes(32).toString('base64url'),
    codeVerifier: randomBytes(48).toString('base64url'),
    nonce: randomBytes(32).toString('base64url'),
    expiresAt: ctx.now() + LIFETIME_MS,
  };
  const text = Buffer.from(JSON.stringify(state)).toString('base64url');
  const value = `${text}.${signature(ctx, text).toString('base64url')}`;
  return { state, cookie: setCookie(ctx, { name: COOKIE, value, maxAgeSeconds: LIFETIME_MS / 1000 }) };
}

/** The cookie that deletes it; each state is for one reply of the provider. */
export const endedState = (ctx: Ctx): string => setCookie(ctx, { name: COOKIE, value: '', maxAgeSeconds: 0 });

/** The sign-in that this browser began with `state`; null if another browser began it, it expired, or it was changed. */
export function readState(ctx: Ctx, request: Request, state: string): OAuthState | null {
  const [text = '', signed = ''] = readCookie(ctx, request, { name: COOKIE })?.split('.') ?? [];
  const given = Buffer.from(signed, 'base64url');
  const expected = signature(ctx, text);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  // An earlier version may have signed another shape.
  const { data: begun } = shape.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  if (begun === undefined) return null;
  const [sent, kept] = [Buffer.from(state), Buffer.from(begun.state)];
  const same = sent.length === kept.length && timingSafeEqual(sent, kept);
  return same && ctx.now() < begun.expiresAt ? begun : null;
}
