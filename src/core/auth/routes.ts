import { Reply } from '../../http/reply.ts';
import { mailOf } from '../mail/index.ts';
import { defineRoute } from '../tenancy/index.ts';
import {
  credentials,
  emailBody,
  loginReply,
  magicLinkBody,
  mailReply,
  meReply,
  methodsReply,
  setupBody,
  setupReply,
} from './contract.ts';
import { configuredProviders } from './oauth/oauth-provider.ts';
import { findPerson, listMemberships } from './queries.ts';
import { authOf } from './service.ts';
import { endedSessionCookie } from './sessions/cookie.ts';
import { login } from './sign-in/login.ts';
import { requestMagicLink, useMagicLink } from './sign-in/magic-link.ts';
import { allowCookie, originOf, signedIn } from './sign-in/signed-in.ts';
import { redeemSetupToken } from './sign-up/setup-token.ts';

const postLogin = defineRoute({
  method: 'POST',
  path: '/v1/auth/login',
  auth: 'none',
  summary: 'Sign in with e-mail address and password',
  body: credentials,
  reply: loginReply,
  handler: async (ctx, input) => {
    allowCookie(ctx, input);
    return signedIn(ctx, await login(ctx, input.body, originOf(input)), input.body);
  },
});

const postMagicLink = defineRoute({
  method: 'POST',
  path: '/v1/auth/sign-in/magic-link',
  auth: 'none',
  summary: 'Send a link that signs the owner of an address in, once and within 15 minutes',
  body: emailBody,
  reply: mailReply,
  status: 202,
  handler: (ctx, { body, address }) => requestMagicLink(ctx, { email: body.email, address }),
});

const postMagicLinkVerify = defineRoute({
  method: 'POST',
  path: '/v1/auth/magic-link/verify',
  auth: 'none',
  summary: 'Sign in with the token of a magic link',
  body: magicLinkBody,
  reply: loginReply,
  handler: async (ctx, input) => {
    allowCookie(ctx, input);
    return signedIn(ctx, await useMagicLink(ctx, input.body.token, originOf(input)), input.body);
  },
});

const postLogout = defineRoute({
  method: 'POST',
  path: '/v1/auth/logout',
  auth: 'session',
  summary: 'End this session',
  status: 204,
  handler: async (ctx, _input, { sessionId }) => {
    await authOf(ctx).sessions.end(sessionId);
    return new Reply(204, null, { 'Set-Cookie': endedSessionCookie(ctx) });
  },
});

const getMe = defineRoute({
  method: 'GET',
  path: '/v1/auth/me',
  auth: 'session',
  summary: 'Who is signed in, with their organizations, roles and projects',
  reply: meReply,
  handler: async (ctx, _input, { userId }) => ({
    user: await findPerson(ctx, userId),
    memberships: await listMemberships(ctx, userId),
  }),
});

const getMethods = defineRoute({
  method: 'GET',
  path: '/v1/auth/methods',
  auth: 'none',
  summary: 'How people sign in here',
  reply: methodsReply,
  handler: (ctx) => ({
    signup: ctx.config.SIGNUP,
    mail: mailOf(ctx) !== null,
    oauth: configuredProviders(ctx),
  }),
});

const postSetup = defineRoute({
  method: 'POST',
  path: '/v1/auth/setup',
  auth: 'none',
  summary: 'Redeem the one-time setup token of a file without an owner',
  body: setupBody,
  reply: setupReply,
  status: 201,
  handler: async (ctx, input) => {
    allowCookie(ctx, input);
    const { made, bearer } = await redeemSetupToken(ctx, input.body, originOf(input));
    return signedIn(ctx, bearer, { cookie: input.body.cookie, status: 201, more: made });
  },
});

export const signInRoutes = [
  postLogin,
  postMagicLink,
  postMagicLinkVerify,
  postLogout,
  getMe,
  getMethods,
  postSetup,
];
