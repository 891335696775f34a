import type { Ctx } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import { authOf } from '../service.ts';
import { readBearer } from '../sessions/bearer-token.ts';
import { sessionCookie } from '../sessions/cookie.ts';
import { joinIdentity } from './join-identity.ts';
import { loadProvider, type ProviderName } from './oauth-provider.ts';
import { beginState, endedState, readState } from './oauth-state.ts';

/** Begins a sign-in: the address to send the browser to, and the cookie to set. */
export async function beginOAuth(
  ctx: Ctx,
  of: { provider: ProviderName; next: string },
): Promise<{ url: string; cookie: string }> {
  const provider = await loadProvider(ctx, of.provider);
  const { state, cookie } = beginState(ctx, of);
  return { url: await provider.authorize(state), cookie };
}

/** The parameters with which a provider sends the browser back. */
export type Callback = {
  readonly provider: ProviderName;
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly error?: string | undefined;
};

/**
 * Ends a sign-in. It redirects the browser to its target, signed in by cookie, or to the sign-in page with the reason in
 * the fragment. People see this reply, so it is never an error.
 */
export async function endOAuth(
  ctx: Ctx,
  { request, source }: { request: Request; source: Source },
  callback: Callback,
): Promise<Response> {
  try {
    const begun = readState(ctx, request, callback.state ?? '');
    if (begun?.provider !== callback.provider) throw refusal('This sign-in is over; begin it again');
    if (callback.code === undefined) throw refusal(`${callback.provider} did not sign you in`);
    const bearer = await exchange(ctx, { code: callback.code, begun }, source);
    const session = await authOf(ctx).sessions.find(readBearer(`Bearer ${bearer}`, ctx.secret) ?? '');
    return redirect(ctx, begun.next, sessionCookie(ctx, bearer, session?.expiresAt ?? ctx.now()));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return redirect(ctx, `/sign-in#error=${encodeURIComponent(error.message)}`);
  }
}

async function exchange(
  ctx: Ctx,
  { code, begun }: { code: string; begun: NonNullable<ReturnType<typeof readState>> },
  source: Source,
): Promise<string> {
  const provider = await loadProvider(ctx, begun.provider);
  const address = addressGroup(source.address);
  const identity = await authOf(ctx).throttle.attempt({ email: `oauth ${address}`, address }, () =>
    provider.identify(code, begun),
  );
  if (identity === null) throw refusal(`${begun.provider} did not say who you are; try again`);
  const userId = await joinIdentity(ctx, identity, source);
  return (await authOf(ctx).signIn()).session(userId, source);
}

const refusal = (message: string): AppError => new AppError(403, message);

function redirect(ctx: Ctx, location: string, cookie?: string): Response {
  const headers = new Headers({
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
  headers.append('Set-Cookie', endedState(ctx));
  if (cookie !== undefined) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 302, headers });
}
