import type { Ctx } from '../../../context.ts';
import { AppError, unavailable } from '../../../errors.ts';
import type { OAuthState } from './oauth-state.ts';
import { callbackUrl, type Identity, type SignInProvider } from './provider.ts';

const NAMES = { github: 'GitHub', google: 'Google' } as const;

const PATIENCE_MS = 10_000;

/** Sign-in with GitHub or Google by better-auth. Their addresses are fixed, so that nobody can direct the server elsewhere. */
export async function socialProvider(ctx: Ctx, id: keyof typeof NAMES): Promise<SignInProvider> {
  const { config } = ctx;
  const { github, google } = (await import('../sign-in/better-auth.ts')).socialProviders;
  const options = {
    github: { clientId: config.GITHUB_CLIENT_ID ?? '', clientSecret: config.GITHUB_CLIENT_SECRET ?? '' },
    google: { clientId: config.GOOGLE_CLIENT_ID ?? '', clientSecret: config.GOOGLE_CLIENT_SECRET ?? '' },
  };
  const provider = id === 'github' ? github(options.github) : google(options.google);
  const name = NAMES[id];
  const redirectURI = callbackUrl(ctx, id);

  const identify = async (search: string, { codeVerifier }: OAuthState): Promise<Identity | null> => {
    const code = new URLSearchParams(search).get('code') ?? '';
    const tokens = await provider.validateAuthorizationCode({ code, codeVerifier, redirectURI });
    const info = tokens === null ? null : await provider.getUserInfo(tokens);
    if (info == null) return null;
    const accountId = accountIdOf(info.data);
    if (accountId === null) return null;
    const { email, emailVerified, name: called } = info.user;
    return {
      provider: id,
      providerName: name,
      namespace: id,
      accountId,
      email: email?.toLowerCase() ?? null,
      emailVerified: emailVerified === true,
      name: called || null,
    };
  };
  return {
    id,
    name,
    authorize: async ({ state, codeVerifier }) =>
      String(await provider.createAuthorizationURL({ state, codeVerifier, redirectURI, scopes: [] })),
    identify: async (search, state) => {
      if (!new URLSearchParams(search).has('code')) throw new AppError(403, `${name} did not sign you in`);
      const found = await inTime(() => identify(search, state), {
        failure: unavailable(`${name} did not answer; try again`),
        // better-auth's error quotes the provider's reply with the code, so it is not logged.
        log: () => ctx.log.warn({ component: 'oauth', provider: id }, 'a code was refused'),
      });
      if (found === null) throw new AppError(403, `${name} did not say who you are; try again`);
      return found;
    },
  };
}

/** Null if the work fails; throws `failure` if it takes too long. */
async function inTime<T>(
  work: () => Promise<T | null>,
  { failure, log }: { failure: AppError; log: () => void },
): Promise<T | null> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(failure), PATIENCE_MS);
  try {
    return await Promise.race([work(), late.promise]);
  } catch (error) {
    if (error === failure) throw error;
    log();
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** GitHub has numeric ids; Google uses the subject of its token (OpenID Connect Core, 2). */
function accountIdOf(profile: object): string | null {
  const { id, sub } = profile as { id?: unknown; sub?: unknown };
  const found = sub ?? id;
  return typeof found === 'string' || typeof found === 'number' ? String(found) : null;
}
