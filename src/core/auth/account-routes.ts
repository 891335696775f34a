import { z } from 'zod';
import { Reply } from '../../http/reply.ts';
import { actorOf } from '../../module.ts';
import { mailOf } from '../mail/index.ts';
import { defineRoute } from '../tenancy/index.ts';
import {
  changePasswordBody,
  choosePasswordBody,
  emailBody,
  endedReply,
  loginReply,
  mailReply,
  profileBody,
  sessionsReply,
  signupBody,
  tokenBody,
} from './contract.ts';
import { requestVerification, verifyEmail } from './links/verify-email.ts';
import { changePassword, requestReset, resetPassword } from './passwords/password.ts';
import { renamePerson } from './rename-person.ts';
import { authOf } from './service.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from './sessions/own-sessions.ts';
import { allowCookie, NO_STORE, originOf, signedIn } from './sign-in/signed-in.ts';
import { confirmSignUp, requestSignUp, signUpUnverified } from './sign-up/sign-up.ts';

const postSignup = defineRoute({
  method: 'POST',
  path: '/v1/auth/signup',
  auth: 'none',
  summary:
    'Make an account, where the operator allows it: 202 and a link by mail, or 201 where no mail is sent',
  body: signupBody,
  reply: z.union([loginReply, mailReply]),
  status: 201,
  handler: async (ctx, input) => {
    allowCookie(ctx, input);
    if (mailOf(ctx) !== null) return new Reply(202, requestSignUp(ctx, input.body, input.address), NO_STORE);
    const userId = await signUpUnverified(ctx, input.body, originOf(input));
    const bearer = await (await authOf(ctx).signIn()).session(userId, originOf(input));
    return signedIn(ctx, bearer, { cookie: input.body.cookie, status: 201 });
  },
});

const postSignupConfirm = defineRoute({
  method: 'POST',
  path: '/v1/auth/signup/confirm',
  auth: 'none',
  summary: 'Make the account of a sign-up link, with the password chosen now',
  body: choosePasswordBody,
  reply: loginReply,
  status: 201,
  handler: async (ctx, input) => {
    allowCookie(ctx, input);
    const userId = await confirmSignUp(ctx, input.body, originOf(input));
    const bearer = await (await authOf(ctx).signIn()).session(userId, originOf(input));
    return signedIn(ctx, bearer, { cookie: input.body.cookie, status: 201 });
  },
});

const postRequestReset = defineRoute({
  method: 'POST',
  path: '/v1/auth/request-password-reset',
  auth: 'none',
  summary: 'Send a link for choosing a new password',
  body: emailBody,
  reply: mailReply,
  status: 202,
  handler: (ctx, { body, address }) => requestReset(ctx, { email: body.email, address }),
});

const postReset = defineRoute({
  method: 'POST',
  path: '/v1/auth/reset-password',
  auth: 'none',
  summary: 'Set the password of a reset link: ends all sessions and begins a new one',
  body: choosePasswordBody,
  reply: loginReply,
  handler: async (ctx, input) => {
    allowCookie(ctx, input);
    const userId = await resetPassword(ctx, input.body, originOf(input));
    const bearer = await (await authOf(ctx).signIn()).session(userId, originOf(input));
    return signedIn(ctx, bearer, input.body);
  },
});

const postChangePassword = defineRoute({
  method: 'POST',
  path: '/v1/auth/change-password',
  auth: 'session',
  summary: 'Change the password; ends the other sessions',
  body: changePasswordBody,
  status: 204,
  handler: async (ctx, input, session) => {
    await changePassword(ctx, { session, source: originOf(input) }, input.body);
    return null;
  },
});

const postRequestVerification = defineRoute({
  method: 'POST',
  path: '/v1/auth/send-verification-email',
  auth: 'session',
  summary: 'Send a link that confirms the own address',
  reply: mailReply,
  status: 202,
  handler: (ctx, { address }, session) => requestVerification(ctx, session, address),
});

const postVerify = defineRoute({
  method: 'POST',
  path: '/v1/auth/verify-email',
  auth: 'none',
  summary: 'Confirm the address of a verification link',
  body: tokenBody,
  status: 204,
  handler: async (ctx, input) => {
    await verifyEmail(ctx, input.body.token, originOf(input));
    return null;
  },
});

const putMe = defineRoute({
  method: 'PUT',
  path: '/v1/auth/me',
  auth: 'session',
  summary: 'Change the own name',
  body: profileBody,
  status: 204,
  handler: async (ctx, input, session) => {
    await renamePerson(ctx, actorOf(session, input), { userId: session.userId, name: input.body.name });
    authOf(ctx).sessions.drop();
    return null;
  },
});

const getSessions = defineRoute({
  method: 'GET',
  path: '/v1/auth/sessions',
  auth: 'session',
  summary: 'The own sessions, the newest first',
  reply: sessionsReply,
  handler: async (ctx, _input, session) => ({ sessions: await listOwnSessions(ctx, session) }),
});

const deleteSessions = defineRoute({
  method: 'DELETE',
  path: '/v1/auth/sessions',
  auth: 'session',
  summary: 'End all own sessions but this one',
  reply: endedReply,
  handler: async (ctx, input, session) => ({
    ended: await endOtherSessions(ctx, { session, actor: actorOf(session, input) }),
  }),
});

const deleteSession = defineRoute({
  method: 'DELETE',
  path: '/v1/auth/sessions/:sessionId',
  auth: 'session',
  summary: 'End one own session',
  params: z.object({ sessionId: z.string() }),
  status: 204,
  handler: async (ctx, input, session) => {
    await endOwnSession(ctx, { session, actor: actorOf(session, input) }, input.params.sessionId);
    return null;
  },
});

export const accountRoutes = [
  postSignup,
  postSignupConfirm,
  postRequestReset,
  postReset,
  postChangePassword,
  postRequestVerification,
  postVerify,
  putMe,
  getSessions,
  deleteSessions,
  deleteSession,
];
