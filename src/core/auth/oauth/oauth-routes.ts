import { Reply } from '../../../http/reply.ts';
import { route } from '../../tenancy/index.ts';
import { getCallbackEndpoint, postSocialEndpoint } from '../contract.ts';
import { requireSameOrigin } from '../sessions/cookie.ts';
import { NO_STORE, originOf } from '../sign-in/signed-in.ts';
import { beginOAuth, endOAuth } from './oauth.ts';

const postSocial = route(postSocialEndpoint, async (ctx, { request, body }) => {
  requireSameOrigin(ctx, request);
  const { url, cookie } = await beginOAuth(ctx, body);
  return new Reply(200, { url }, { ...NO_STORE, 'Set-Cookie': cookie });
});

const getCallback = route(getCallbackEndpoint, (ctx, input) => {
  const { request, query, params } = input;
  const callback = { provider: params.provider, state: query.state };
  return endOAuth(ctx, { request, source: originOf(input) }, callback);
});

export const oauthRoutes = [postSocial, getCallback];
