import { z } from 'zod';
import { Reply } from '../../../http/reply.ts';
import { defineRoute } from '../../tenancy/index.ts';
import { oauthBody, oauthReply } from '../contract.ts';
import { requireSameOrigin } from '../sessions/cookie.ts';
import { NO_STORE, originOf } from '../sign-in/signed-in.ts';
import { beginOAuth, endOAuth } from './oauth.ts';

const provider = z.enum(['github', 'google']);
const sent = z.string().max(2_000).optional();

const postSocial = defineRoute({
  method: 'POST',
  path: '/v1/auth/sign-in/social',
  auth: 'none',
  summary: 'Begin a sign-in with GitHub or Google: send the browser to the URL of the reply',
  body: oauthBody,
  reply: oauthReply,
  handler: async (ctx, { request, body }) => {
    requireSameOrigin(ctx, request);
    const { url, cookie } = await beginOAuth(ctx, body);
    return new Reply(200, { url }, { ...NO_STORE, 'Set-Cookie': cookie });
  },
});

const getCallback = defineRoute({
  method: 'GET',
  path: '/v1/auth/callback/:provider',
  auth: 'none',
  summary: 'Where GitHub and Google send the browser back to',
  params: z.object({ provider }),
  query: z.object({ code: sent, state: sent, error: sent }),
  status: 302,
  handler: (ctx, input) => {
    const { request, query, params } = input;
    return endOAuth(ctx, { request, source: originOf(input) }, { ...query, provider: params.provider });
  },
});

export const oauthRoutes = [postSocial, getCallback];
