import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Asked } from '../../http/route.ts';
import { type Person, scopesOf } from '../tenancy/index.ts';
import type { ValidToken } from './queries.ts';
import { tokensOf } from './service.ts';

type Reach = ValidToken['reach'];

/**
 * The person whose role limits a token, and what the token reaches. Counts the request against the token's rate limit.
 * @throws AppError 401 for a token that is unknown or not valid any more, 403 if its scopes do not admit to the
 * endpoint, 429 for too many requests or failures
 */
export async function admitToken(
  ctx: Ctx,
  raw: string,
  { endpoint, address }: Asked,
): Promise<{ person: Person & { readonly tokenId: string }; reach: Reach }> {
  const { tokenId, scopes, person, reach } = await tokensOf(ctx).verify(raw, address);
  await ctx.limits.hit('dashboard', tokenId);
  tokensOf(ctx).noteUse(tokenId);
  const admitted = scopesOf(endpoint);
  if (admitted.length === 0) throw refused('Access tokens are not accepted here; sign in instead');
  if (!admitted.some((scope) => scopes.some((given) => given === scope)))
    throw refused(`This access token lacks the scope ${admitted.join(' or ')}; create one with it`);
  return { person: { ...person, tokenId }, reach };
}

/**
 * Checks that a token reaches a project. The reply is the same for every other id, whether it exists or not.
 * @throws AppError 403
 */
export function requireProjectReach(reach: Reach, projectId: string): void {
  if (reach.projectId !== null && reach.projectId !== projectId)
    throw refused('This access token is for another project; use one for this project');
}

/** Checks that a token is not for one project only. Throws AppError 403. */
export function requireOrganizationReach(reach: Reach): void {
  if (reach.projectId !== null)
    throw refused('This access token is for one project; create one for the organization');
}

const refused = (message: string): AppError => new AppError(403, message);
