import type { Ctx } from '../../../context.ts';
import { badRequest, unavailable } from '../../../errors.ts';
import { publicUrl } from '../../mail/index.ts';
import type { OAuthState } from './oauth-state.ts';

/** The providers that can be configured. */
export type ProviderName = OAuthState['provider'];

/** Who somebody is, by a provider. */
export type Identity = {
  readonly provider: ProviderName;
  /** The provider's own id of the person: an address may change hands, this never does. */
  readonly accountId: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
};

type Provider = {
  /** Where the browser is sent. */
  authorize(state: OAuthState): Promise<string>;
  /** Redeems a code; null when the provider does not take it. Rejects with 503 when it does not answer. */
  identify(code: string, state: OAuthState): Promise<Identity | null>;
};

const PATIENCE_MS = 10_000;

/** The providers that have an id and a secret. */
export function configuredProviders({ config }: Ctx): ProviderName[] {
  return [
    ...(config.GITHUB_CLIENT_ID === undefined ? [] : (['github'] as const)),
    ...(config.GOOGLE_CLIENT_ID === undefined ? [] : (['google'] as const)),
  ];
}

/**
 * A provider as better-auth knows it, loaded when it is needed. Its addresses are fixed: nobody can point the
 * server somewhere else. Throws AppError 400 for one that is not configured.
 */
export async function loadProvider(ctx: Ctx, name: ProviderName): Promise<Provider> {
  const { config } = ctx;
  if (!configuredProviders(ctx).includes(name)) throw badRequest(`Sign-in with ${name} is not set up here`);
  const { github, google } = (await import('../sign-in/better-auth.ts')).socialProviders;
  const options = {
    github: { clientId: config.GITHUB_CLIENT_ID ?? '', clientSecret: config.GITHUB_CLIENT_SECRET ?? '' },
    google: { clientId: config.GOOGLE_CLIENT_ID ?? '', clientSecret: config.GOOGLE_CLIENT_SECRET ?? '' },
  };
  const provider = name === 'github' ? github(options.github) : google(options.google);
  const redirectURI = `${publicUrl(ctx)}/v1/auth/callback/${name}`;

  const identify: Provider['identify'] = async (code, { codeVerifier }) => {
    const tokens = await provider.validateAuthorizationCode({ code, codeVerifier, redirectURI });
    const info = tokens === null ? null : await provider.getUserInfo(tokens);
    if (info == null) return null;
    const accountId = accountIdOf(info.data);
    if (accountId === null) return null;
    const { email, emailVerified, name: called } = info.user;
    return {
      provider: name,
      accountId,
      email: email?.toLowerCase() ?? null,
      emailVerified: emailVerified === true,
      name: called || null,
    };
  };
  return {
    authorize: async ({ state, codeVerifier }) =>
      String(await provider.createAuthorizationURL({ state, codeVerifier, redirectURI, scopes: [] })),
    identify: async (code, state) => {
      const late = Promise.withResolvers<never>();
      const failure = unavailable(`${name} did not answer; try again`);
      const timer = setTimeout(() => late.reject(failure), PATIENCE_MS);
      try {
        return await Promise.race([identify(code, state), late.promise]);
      } catch (error) {
        if (error === failure) throw error;
        // better-auth throws what the provider said; the code in it is spent, but nobody's business.
        ctx.log.warn({ component: 'oauth', provider: name }, 'a code was not taken');
        return null;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** GitHub numbers people, Google names the subject of its token (OpenID Connect Core, 2). */
function accountIdOf(profile: object): string | null {
  const { id, sub } = profile as { id?: unknown; sub?: unknown };
  const found = sub ?? id;
  return typeof found === 'string' || typeof found === 'number' ? String(found) : null;
}
