import type { Ctx } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { addressGroup } from '../../../http/address-group.ts';
import type { Source } from '../../../module.ts';
import { noteSignIn } from '../journal/note-sign-in.ts';
import { authOf } from '../service.ts';
import { readBearer } from '../sessions/bearer-token.ts';
import { sessionCookie } from '../sessions/cookie.ts';
import { issuerCookies } from './issuer-session.ts';
import { joinIdentity } from './join-identity.ts';
import { beginState, endedState, type OAuthState, readState } from './oauth-state.ts';
import type { Identity } from './provider.ts';
import { loadProvider } from './providers.ts';

/** Begins a sign-in: the address to send the browser to, and the cookie to set. */
export async function beginOAuth(
  ctx: Ctx,
  of: { provider: string; next: string },
): Promise<{ url: string; cookie: string }> {
  const provider = await loadProvider(ctx, of.provider);
  const { state, cookie } = beginState(ctx, of);
  return { url: await provider.authorize(state), cookie };
}

/** The parameters with which a provider sends the browser back. */
export type Callback = {
  readonly provider: string;
  readonly state?: string | undefined;
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
  let next = '/';
  let issuer: string[] = [];
  try {
    const begun = readState(ctx, request, callback.state ?? '');
    if (begun?.provider !== callback.provider) throw refusal('This sign-in is over; begin it again');
    next = begun.next;
    const identity = await identify(ctx, { search: new URL(request.url).search, begun }, source);
    const userId = await joinIdentity(ctx, identity, source);
    issuer = issuerCookies(ctx, identity);
    const bearer = await (await authOf(ctx).signIn()).session({ userId, provider: begun.provider }, source);
    const token = readBearer(`Bearer ${bearer}`, ctx.secret) ?? '';
    await noteSignIn(ctx, token);
    const session = await authOf(ctx).sessions.find(token);
    const cookie = sessionCookie(ctx, bearer, session?.expiresAt ?? ctx.now());
    return redirect(ctx, begun.next, [cookie, ...issuer]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return redirect(ctx, toSignIn(error, next), issuer);
  }
}

const TOO_MANY = 'Too many sign-ins failed from your network; try again in a quarter of an hour';

/** The sign-in page, with the challenge of a second step or the reason of a refusal in the fragment. */
function toSignIn({ code, more, message }: AppError, next: string): string {
  if (code === 'rate_limited') return `/sign-in#error=${encodeURIComponent(TOO_MANY)}`;
  if (code !== 'second_factor_required') return `/sign-in#error=${encodeURIComponent(message)}`;
  return `/sign-in?next=${encodeURIComponent(next)}#second-factor=${String(more.challenge)}`;
}

/**
 * Counts a reply that the provider or the checks refuse as a failed sign-in of the network address. Each sign-in has a
 * count of its own beside that, so that a few colleagues with a problem do not stop an office.
 */
async function identify(
  ctx: Ctx,
  { search, begun }: { search: string; begun: OAuthState },
  source: Source,
): Promise<Identity> {
  const provider = await loadProvider(ctx, begun.provider);
  const address = addressGroup(source.address);
  let refused = refusal(`${provider.name} did not sign you in`);
  const identity = await authOf(ctx).throttle.attempt(
    { email: `oauth ${begun.state}`, address },
    async () => {
      try {
        return await provider.identify(search, begun);
      } catch (error) {
        if (!(error instanceof AppError) || error.status !== 403) throw error;
        refused = error;
        return null;
      }
    },
  );
  if (identity === null) throw refused;
  return identity;
}

const refusal = (message: string): AppError => new AppError(403, message);

function redirect(ctx: Ctx, location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
  for (const cookie of [endedState(ctx), ...cookies]) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 302, headers });
}
