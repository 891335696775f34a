import type { Ctx } from '../../../context.ts';
import { AppError, unavailable } from '../../../errors.ts';
import { outboundOf } from '../../outbound/index.ts';
import { authOf } from '../service.ts';
import { askIssuer } from './ask-issuer.ts';
import type { Issuer } from './issuers.ts';
import type { Failure, Party } from './openid.ts';
import { callbackUrl, type Identity, type SignInProvider } from './provider.ts';

/** Sign-in with an OpenID Connect issuer: authorization code with PKCE, state and nonce (OpenID Connect Core, 3.1). */
export function oidcProvider(ctx: Ctx, issuer: Issuer): SignInProvider {
  const redirectUri = callbackUrl(ctx, issuer.id);
  return {
    id: issuer.id,
    name: issuer.name,
    authorize: (state) =>
      explained(ctx, issuer, async ({ authorizationUrl }) =>
        authorizationUrl(await partyOf(ctx, issuer), state, { redirectUri, scopes: issuer.scopes }),
      ),
    identify: (search, state) =>
      explained(ctx, issuer, async ({ redeem }) => {
        const { claims, idToken } = await redeem(
          await partyOf(ctx, issuer),
          state,
          `${redirectUri}${search}`,
        );
        return { ...identityOf(issuer, claims), idToken };
      }),
  };
}

/** The session here has ended already, so nobody waits long for the issuer. */
const SIGN_OUT_PATIENCE_MS = 2_000;

/** Where the browser signs out at the issuer; null if that is not supported or the issuer does not reply. */
export async function signOutUrl(
  ctx: Ctx,
  issuer: Issuer,
  of: { idToken: string | null; returnTo: string },
): Promise<string | null> {
  if (!issuer.logout) return null;
  const { endSessionUrl } = await import('./openid.ts');
  const patience = Bun.sleep(SIGN_OUT_PATIENCE_MS).then(() => null);
  const party = await Promise.race([partyOf(ctx, issuer).catch(() => null), patience]);
  return party === null ? null : endSessionUrl(party, of);
}

async function partyOf(ctx: Ctx, { issuer, clientId, clientSecret }: Issuer): Promise<Party> {
  const metadata = await authOf(ctx).metadata.get(issuer);
  return { metadata, clientId, clientSecret, ask: askIssuer(outboundOf(ctx), issuer), now: ctx.now() };
}

/** The identity is the issuer with its subject; an address can pass to another person. */
function identityOf(
  { id, name, issuer, domains, assumeVerified }: Issuer,
  claims: Record<string, unknown>,
): Identity {
  const { sub, email: given, email_verified: verified, name: called } = claims;
  const email = typeof given === 'string' ? given.trim().toLowerCase() : null;
  const domain = email?.slice(email.lastIndexOf('@') + 1) ?? '';
  const vouches = domains.length === 0 || domains.includes(domain);
  const confirmed = verified === undefined ? assumeVerified : verified === true || verified === 'true';
  return {
    provider: id,
    providerName: name,
    // The library has compared `iss` with it.
    namespace: issuer,
    accountId: String(sub),
    email,
    // Some issuers send the text "true".
    emailVerified: vouches && confirmed,
    ...(vouches ? {} : { onlyDomains: domains }),
    name: typeof called === 'string' && called !== '' ? called : null,
  };
}

/** Runs a step, and explains its failure to the person. The log gets the kind of failure, without texts of the issuer. */
async function explained<T>(
  ctx: Ctx,
  { id, name, issuer }: Issuer,
  step: (openid: typeof import('./openid.ts')) => Promise<T>,
): Promise<T> {
  const openid = await import('./openid.ts');
  try {
    return await step(openid);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { kind, code } = openid.failureOf(error);
    // The issuer may have moved its endpoints.
    if (kind === 'setup') authOf(ctx).metadata.drop(issuer);
    ctx.log.warn({ component: 'oidc', provider: id, kind, code }, 'a sign-in with an issuer failed');
    const message = TEXTS[kind](name);
    throw kind === 'unreachable' ? unavailable(message) : new AppError(403, message);
  }
}

const CHECK = 'tell the operator to run `spanledger auth check-issuer`';

/** What people read, by kind of failure: what happened and what to do. */
const TEXTS: Readonly<Record<Failure['kind'], (name: string) => string>> = {
  unreachable: (name) => `${name} does not answer; try again in a minute`,
  setup: (name) => `Sign-in with ${name} is not set up correctly; ${CHECK}`,
  denied: (name) =>
    `${name} did not sign you in, because you or its administrator declined; try again or ask them`,
  expired: (name) => `This sign-in took too long or was used before; continue with ${name} again`,
  client: (name) => `${name} refused this server's client id or secret; tell the operator to correct them`,
  clock: (name) =>
    `The clocks of this server and of ${name} differ; tell the operator to correct the server's clock`,
  audience: (name) => `${name} signed you in to another application; ${CHECK}`,
  forged: (name) =>
    `The reply of ${name} did not pass the checks, so it was not used; continue with ${name} again`,
  other: (name) => `${name} did not sign you in; try again, and if it happens again tell the operator`,
};
