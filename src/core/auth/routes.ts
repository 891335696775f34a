import { Reply } from '../../http/reply.ts';
import { actorOf } from '../../module.ts';
import { mailOf } from '../mail/index.ts';
import { hasOwner } from '../orgs/index.ts';
import { route } from '../tenancy/index.ts';
import {
  checkSetupEndpoint,
  getMeEndpoint,
  getMethodsEndpoint,
  postLoginEndpoint,
  postLogoutEndpoint,
  postMagicLinkEndpoint,
  postMagicLinkVerifyEndpoint,
  postSetupEndpoint,
} from './contract.ts';
import { endedIssuerCookie, issuerSignOut } from './oauth/issuer-session.ts';
import { configuredProviders } from './oauth/providers.ts';
import { passkeyProblem } from './passkeys/relying-party.ts';
import { findPerson, listMemberships } from './queries.ts';
import { endedSessionCookie } from './sessions/cookie.ts';
import { endThisSession } from './sessions/own-sessions.ts';
import { login } from './sign-in/login.ts';
import { requestMagicLink, useMagicLink } from './sign-in/magic-link.ts';
import { allowCookie, NO_STORE, originOf, signedIn } from './sign-in/signed-in.ts';
import { checkSetupToken, redeemSetupToken } from './sign-up/setup-token.ts';

const postLogin = route(postLoginEndpoint, async (ctx, input) => {
  allowCookie(ctx, input);
  return signedIn(ctx, await login(ctx, input.body, originOf(input)), input.body);
});

const postMagicLink = route(postMagicLinkEndpoint, (ctx, { body, address }) =>
  requestMagicLink(ctx, { email: body.email, address }),
);

const postMagicLinkVerify = route(postMagicLinkVerifyEndpoint, async (ctx, input) => {
  allowCookie(ctx, input);
  return signedIn(ctx, await useMagicLink(ctx, input.body.token, originOf(input)), input.body);
});

const postLogout = route(postLogoutEndpoint, async (ctx, input, session) => {
  await endThisSession(ctx, { session, actor: actorOf(session, input) });
  const endSessionUrl = await issuerSignOut(ctx, input.request);
  const ended = endedSessionCookie(ctx);
  if (endSessionUrl === null) return new Reply(204, null, { 'Set-Cookie': ended });
  const headers = new Headers({ ...NO_STORE, 'Set-Cookie': ended });
  headers.append('Set-Cookie', endedIssuerCookie(ctx));
  return Response.json({ endSessionUrl }, { headers });
});

const getMe = route(getMeEndpoint, async (ctx, _input, { userId }) => ({
  user: await findPerson(ctx, userId),
  memberships: await listMemberships(ctx, userId),
}));

const getMethods = route(getMethodsEndpoint, async (ctx, { request }) => ({
  signup: ctx.config.SIGNUP,
  mail: mailOf(ctx) !== null,
  passkeys: passkeyProblem(ctx, request) === null,
  needsOwner: !(await hasOwner(ctx)),
  oauth: configuredProviders(ctx),
}));

const postSetup = route(postSetupEndpoint, async (ctx, input) => {
  allowCookie(ctx, input);
  const { made, bearer } = await redeemSetupToken(ctx, input.body, originOf(input));
  return signedIn(ctx, bearer, { cookie: input.body.cookie, status: 201, more: made });
});

const checkSetup = route(checkSetupEndpoint, async (ctx, input) => {
  await checkSetupToken(ctx, input.body.token, originOf(input));
  return null;
});

export const signInRoutes = [
  postLogin,
  postMagicLink,
  postMagicLinkVerify,
  postLogout,
  getMe,
  getMethods,
  postSetup,
  checkSetup,
];
