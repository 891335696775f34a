import type { Ctx } from '../../context.ts';
import { badRequest, roleTooLow } from '../../errors.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Asked } from '../../http/route.ts';
import type { Role } from './contract.ts';
import { hasRole } from './has-role.ts';

/**
 * The id of the project or organization that a request names, in the path or the query.
 * @throws AppError 400 if it names none
 */
export function namedId(kind: 'project' | 'organization', { endpoint, param, query }: Asked): string {
  const inPath = endpoint.path.startsWith(`/v1/${kind}s/:id`);
  const id = inPath ? param('id') : query(`${kind}Id`);
  if (id === undefined || id === '') throw badRequest(`${kind}Id is required`);
  return id;
}

/**
 * Checks that a member may call an endpoint.
 * @throws AppError 403 if their role is too low, 429 if the organization's rate limit is exceeded
 */
export async function admit(
  ctx: Ctx,
  { role: least, limit }: Endpoint,
  { role, organizationId }: { readonly role: Role; readonly organizationId: string },
): Promise<void> {
  if (least !== undefined && !hasRole(role, least)) throw roleTooLow(role, least);
  if (limit === 'ai') await ctx.limits.hit(limit, organizationId);
}
