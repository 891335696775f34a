import { Reply } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import { credentials, loginReply, meReply, setupBody, setupReply, signupBody } from './contract.ts';
import { login } from './login.ts';
import { listMemberships } from './queries.ts';
import { authOf } from './service.ts';
import { redeemSetupToken } from './setup-token.ts';
import type { Origin } from './sign-in.ts';
import { signUp } from './sign-up.ts';

const originOf = (from: { request: Request; address: string | null }): Origin => ({
  address: from.address,
  userAgent: from.request.headers.get('user-agent')?.slice(0, 500) ?? null,
});

/** Credentials are not to be kept by anything on the way. */
const secret = (status: number, body: unknown): Reply =>
  new Reply(status, body, { 'Cache-Control': 'no-store' });

const postLogin = defineRoute({
  method: 'POST',
  path: '/v1/auth/login',
  auth: 'none',
  summary: 'Sign in with e-mail address and password',
  body: credentials,
  reply: loginReply,
  handler: async (ctx, input) => secret(200, await login(ctx, input.body, originOf(input))),
});

const postLogout = defineRoute({
  method: 'POST',
  path: '/v1/auth/logout',
  auth: 'session',
  summary: 'End the session of this token',
  status: 204,
  handler: async (ctx, _input, { sessionId }) => {
    await authOf(ctx).sessions.end(sessionId);
    return null;
  },
});

const getMe = defineRoute({
  method: 'GET',
  path: '/v1/auth/me',
  auth: 'session',
  summary: 'Who is signed in, and the organizations and projects they belong to',
  reply: meReply,
  handler: async (ctx, _input, { userId, email, name }) => ({
    user: { id: userId, email, name },
    memberships: await listMemberships(ctx, userId),
  }),
});

const postSignup = defineRoute({
  method: 'POST',
  path: '/v1/auth/signup',
  auth: 'none',
  summary: 'Make an account, where the operator allows it',
  body: signupBody,
  reply: loginReply,
  status: 201,
  handler: async (ctx, input) => secret(201, await signUp(ctx, input.body, originOf(input))),
});

const postSetup = defineRoute({
  method: 'POST',
  path: '/v1/auth/setup',
  auth: 'none',
  summary: 'Redeem the one-time setup token of a file without an owner',
  body: setupBody,
  reply: setupReply,
  status: 201,
  handler: async (ctx, input) => secret(201, await redeemSetupToken(ctx, input.body, originOf(input))),
});

export const authRoutes = [postLogin, postLogout, getMe, postSignup, postSetup];
