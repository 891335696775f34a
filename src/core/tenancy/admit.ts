import type { Ctx } from '../../context.ts';
import { badRequest, roleTooLow } from '../../errors.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Asked } from '../../http/route.ts';
import type { Role } from './contract.ts';
import { hasRole } from './has-role.ts';

/**
 * The id of the project or organization that a request is about: in the path, or in the query.
 * @throws AppError 400 when the request names none
 */
export function namedId(kind: 'project' | 'organization', { endpoint, param, query }: Asked): string {
  const inPath = endpoint.path.startsWith(`/v1/${kind}s/:id`);
  const id = inPath ? param('id') : query(`${kind}Id`);
  if (id === undefined || id === '') throw badRequest(`${kind}Id is required`);
  return id;
}

/**
 * Lets a member call an endpoint.
 * @throws AppError 403 when their role is too low, 429 when the organization's share is used up
 */
export async function admit(
  ctx: Ctx,
  { role: least, limit }: Endpoint,
  { role, organizationId }: { readonly role: Role; readonly organizationId: string },
): Promise<void> {
  if (least !== undefined && !hasRole(role, least)) throw roleTooLow(role, least);
  if (limit !== undefined) await ctx.limits.hit(limit, organizationId);
}
