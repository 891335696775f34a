import { Reply } from '../../http/reply.ts';
import { actorOf } from '../../module.ts';
import { mailOf } from '../mail/index.ts';
import { route } from '../tenancy/index.ts';
import {
  postChangePasswordEndpoint,
  postRequestResetEndpoint,
  postRequestVerificationEndpoint,
  postResetEndpoint,
  postSignupConfirmEndpoint,
  postSignupEndpoint,
  postVerifyEndpoint,
  putMeEndpoint,
} from './contract.ts';
import { requireSignInWith } from './domains/require-sign-in.ts';
import { requestVerification, verifyEmail } from './links/verify-email.ts';
import { changePassword, requestReset, resetPassword } from './passwords/password.ts';
import { renamePerson } from './rename-person.ts';
import { authOf } from './service.ts';
import { deleteSessionEndpoint, deleteSessionsEndpoint, getSessionsEndpoint } from './sessions/contract.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from './sessions/own-sessions.ts';
import { sessionIfAny } from './sessions/session-guard.ts';
import { allowCookie, NO_STORE, originOf, signedIn } from './sign-in/signed-in.ts';
import { confirmSignUp, requestSignUp, signUpUnverified } from './sign-up/sign-up.ts';

const postSignup = route(postSignupEndpoint, async (ctx, input) => {
  allowCookie(ctx, input);
  await requireSignInWith(ctx, input.body.email, null);
  if (mailOf(ctx) !== null) return new Reply(202, requestSignUp(ctx, input.body, input.address), NO_STORE);
  const userId = await signUpUnverified(ctx, input.body, originOf(input));
  const bearer = await (await authOf(ctx).signIn()).session({ userId, provider: null }, originOf(input));
  return signedIn(ctx, bearer, { cookie: input.body.cookie, status: 201 });
});

const postSignupConfirm = route(postSignupConfirmEndpoint, async (ctx, input) => {
  allowCookie(ctx, input);
  const userId = await confirmSignUp(ctx, input.body, originOf(input));
  const bearer = await (await authOf(ctx).signIn()).session({ userId, provider: null }, originOf(input));
  return signedIn(ctx, bearer, { cookie: input.body.cookie, status: 201 });
});

const postRequestReset = route(postRequestResetEndpoint, (ctx, { body, address }) =>
  requestReset(ctx, { email: body.email, address }),
);

const postReset = route(postResetEndpoint, async (ctx, input) => {
  allowCookie(ctx, input);
  const userId = await resetPassword(ctx, input.body, originOf(input));
  const bearer = await (await authOf(ctx).signIn()).session({ userId, provider: null }, originOf(input));
  return signedIn(ctx, bearer, input.body);
});

const postChangePassword = route(postChangePasswordEndpoint, async (ctx, input, session) => {
  await changePassword(ctx, { session, source: originOf(input) }, input.body);
  return null;
});

const postRequestVerification = route(postRequestVerificationEndpoint, (ctx, { address }, session) =>
  requestVerification(ctx, session, address),
);

const postVerify = route(postVerifyEndpoint, async (ctx, input) => {
  const session = await sessionIfAny(ctx, input.request);
  await verifyEmail(ctx, input.body, { session, source: originOf(input) });
  return null;
});

const putMe = route(putMeEndpoint, async (ctx, input, session) => {
  await renamePerson(ctx, actorOf(session, input), { userId: session.userId, name: input.body.name });
  authOf(ctx).sessions.drop();
  return null;
});

const getSessions = route(getSessionsEndpoint, async (ctx, _input, session) => ({
  sessions: await listOwnSessions(ctx, session),
}));

const deleteSessions = route(deleteSessionsEndpoint, async (ctx, input, session) => ({
  ended: await endOtherSessions(ctx, { session, actor: actorOf(session, input) }),
}));

const deleteSession = route(deleteSessionEndpoint, async (ctx, input, session) => {
  await endOwnSession(ctx, { session, actor: actorOf(session, input) }, input.params.sessionId);
  return null;
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
