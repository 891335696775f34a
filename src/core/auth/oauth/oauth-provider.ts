import type { Ctx } from '../../../context.ts';
import { badRequest, unavailable } from '../../../errors.ts';
import { publicUrl } from '../../mail/index.ts';
import type { OAuthState } from './oauth-state.ts';

/** The providers that can be configured. */
export type ProviderName = OAuthState['provider'];

/** A person's identity at a provider. */
export type Identity = {
  readonly provider: ProviderName;
  /** The provider's id of the person. Unlike an address, it never passes to another person. */
  readonly accountId: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
};

type Provider = {
  /** Address to send the browser to. */
  authorize(state: OAuthState): Promise<string>;
  /** Redeems a code; null if the provider refuses it. Rejects with 503 if the provider does not reply. */
  identify(code: string, state: OAuthState): Promise<Identity | null>;
};

const PATIENCE_MS = 10_000;

/** The providers with a configured id and secret. */
export function configuredProviders({ config }: Ctx): ProviderName[] {
  return [
    ...(config.GITHUB_CLIENT_ID === undefined ? [] : (['github'] as const)),
    ...(config.GOOGLE_CLIENT_ID === undefined ? [] : (['google'] as const)),
  ];
}

/**
 * A better-auth provider, loaded on demand. Its addresses are fixed, so that nobody can direct the server elsewhere.
 * Throws AppError 400 for a provider that is not configured.
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
        // better-auth's error quotes the provider's reply with the code, so it is not logged.
        ctx.log.warn({ component: 'oauth', provider: name }, 'a code was refused');
        return null;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** GitHub has numeric ids; Google uses the subject of its token (OpenID Connect Core, 2). */
function accountIdOf(profile: object): string | null {
  const { id, sub } = profile as { id?: unknown; sub?: unknown };
  const found = sub ?? id;
  return typeof found === 'string' || typeof found === 'number' ? String(found) : null;
}
