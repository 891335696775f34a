import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import { authOf } from '../service.ts';
import type { SignInProvider } from './provider.ts';

/** Ids and names of the configured providers, in the order of their buttons. */
export function configuredProviders(ctx: Ctx): { id: string; name: string }[] {
  const { config } = ctx;
  return [
    ...authOf(ctx)
      .issuers()
      .map(({ id, name }) => ({ id, name })),
    ...(config.GITHUB_CLIENT_ID === undefined ? [] : [{ id: 'github', name: 'GitHub' }]),
    ...(config.GOOGLE_CLIENT_ID === undefined ? [] : [{ id: 'google', name: 'Google' }]),
  ];
}

/** What `accounts.provider_id` holds for identities of a provider: the issuer's URL, or the id of another provider. */
export const namespaceOf = (ctx: Ctx, id: string): string =>
  authOf(ctx)
    .issuers()
    .find((one) => one.id === id)?.issuer ?? id;

/** A provider by id. Throws AppError 400 if it is not configured. */
export async function loadProvider(ctx: Ctx, id: string): Promise<SignInProvider> {
  const issuer = authOf(ctx)
    .issuers()
    .find((one) => one.id === id);
  if (issuer !== undefined) return (await import('./oidc-provider.ts')).oidcProvider(ctx, issuer);
  if (!configuredProviders(ctx).some((one) => one.id === id)) {
    throw badRequest(`Sign-in with ${id} is not set up here`);
  }
  const { socialProvider } = await import('./social-provider.ts');
  return socialProvider(ctx, id === 'github' ? 'github' : 'google');
}
