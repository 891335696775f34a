import type { Ctx } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { configuredProviders } from '../oauth/providers.ts';
import { findDomain } from './queries.ts';

/**
 * Refuses a way to sign in if the domain of the address requires another provider. It depends on the domain only, so
 * that it does not reveal whether the address has an account.
 * @param provider id of the provider that the person signed in with; null for a password, a link or a passkey
 * @throws AppError 403 that names the way
 */
export async function requireSignInWith(ctx: Ctx, email: string, provider: string | null): Promise<void> {
  const found = await findDomain(ctx, email);
  if (found === null || !found.ssoRequired || found.provider === provider) return;
  const name = configuredProviders(ctx).find(({ id }) => id === found.provider)?.name;
  throw new AppError(
    403,
    name === undefined
      ? `People at ${found.domain} sign in with ${found.provider}, which is not set up on this server; ask its operator`
      : `People at ${found.domain} sign in with ${name}: choose "Continue with ${name}"`,
  );
}
