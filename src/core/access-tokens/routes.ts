import { Reply } from '../../http/reply.ts';
import { actorOf } from '../../module.ts';
import { route } from '../tenancy/index.ts';
import {
  createTokenEndpoint,
  getTokenEndpoint,
  listTokensEndpoint,
  revokeTokenEndpoint,
} from './contract.ts';
import { createToken } from './create-token.ts';
import { findToken, listTokens } from './queries.ts';
import { revokeToken } from './revoke-token.ts';

/** No cache may keep a reply that shows a token. */
const NO_STORE = { 'Cache-Control': 'no-store' };

export const tokenRoutes = [
  route(listTokensEndpoint, (ctx, { query }, { organizationId }) => listTokens(ctx, organizationId, query)),

  route(getTokenEndpoint, (ctx, { params }, { organizationId }) => findToken(ctx, params.id, organizationId)),

  route(createTokenEndpoint, async (ctx, input, caller) => {
    const { organizationId, userId } = caller;
    const wish = { organizationId, userId, ...input.body };
    return new Reply(201, await createToken(ctx, actorOf(caller, input), wish), NO_STORE);
  }),

  route(revokeTokenEndpoint, async (ctx, input, caller) => {
    const token = await findToken(ctx, input.params.id, caller.organizationId);
    await revokeToken(ctx, actorOf(caller, input), token);
    return null;
  }),
];
