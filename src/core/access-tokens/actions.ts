import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { conflict, notFound } from '../../errors.ts';
import { defineAction } from '../../module.ts';
import { emailAddress, idOrName } from '../orgs/contract.ts';
import { findOrganization, listMembers } from '../orgs/index.ts';
import { tokenInput } from './contract.ts';
import { createToken, type TokenOwner } from './create-token.ts';
import { findToken } from './queries.ts';
import { revokeToken } from './revoke-token.ts';

/** `access-tokens.create`: a token of a member, by default of the organization's only owner. */
export const createTokenAction = defineAction({
  name: 'access-tokens.create',
  input: tokenInput.extend({ organization: idOrName, user: emailAddress.optional() }),
  run: async (ctx, { organization, user, ...input }, actor) =>
    createToken(ctx, actor, { ...(await ownerOf(ctx, organization, user)), ...input }),
});

/** `access-tokens.revoke`. */
export const revokeTokenAction = defineAction({
  name: 'access-tokens.revoke',
  input: z.object({ id: z.string().min(1).max(100) }),
  run: async (ctx, { id }, actor) => {
    await revokeToken(ctx, actor, await findToken(ctx, id));
    return findToken(ctx, id);
  },
});

async function ownerOf(ctx: Ctx, organization: string, email: string | undefined): Promise<TokenOwner> {
  const { id: organizationId, name } = await findOrganization(ctx, organization);
  const members = await listMembers(ctx, organizationId);
  const [only, ...others] = members.filter((member) =>
    email === undefined ? member.role === 'owner' : member.email === email,
  );
  if (only === undefined) throw notFound(`${email ?? 'An owner'} is not a member of ${name}`);
  if (others.length > 0)
    throw conflict(`${name} has several owners; name the member whose role the token has`);
  return { organizationId, userId: only.userId };
}
