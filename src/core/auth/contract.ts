import { z } from 'zod';
import { displayName, emailAddress } from '../orgs/contract.ts';
import { defineEndpoint, ROLES } from '../tenancy/contract.ts';

/** A password to be set. Longer than 1,024 characters only makes work. */
export const newPassword = z.string().min(8).max(1024);
const password = z.string().min(1).max(1024);
/** The secret part of a link. */
export const linkToken = z.string().min(1).max(200);

/**
 * `cookie: true` keeps the session in a cookie that no script can read, for pages of this server; the reply
 * then has no token. Without it the reply has the bearer token, and no cookie is set.
 */
const keepsCookie = { cookie: z.boolean().optional() };

export const credentials = z.object({ email: emailAddress, password, ...keepsCookie });

export const loginReply = z.object({
  /** The signed bearer token; null where a cookie holds it. */
  token: z.string().nullable(),
  expiresAt: z.iso.datetime(),
  user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
});
export type LoginReply = z.infer<typeof loginReply>;

export const signupBody = z.object({
  email: emailAddress,
  /** Needed where the server sends no mail; otherwise it is chosen behind the link. */
  password: newPassword.optional(),
  name: displayName.optional(),
  /** Name of the organization that the person gets; their own name unless given. */
  organization: displayName.optional(),
  ...keepsCookie,
});

/** Behind the link of a mail: a new account, or a new password. Both sign in. */
export const choosePasswordBody = z.object({ token: linkToken, password: newPassword, ...keepsCookie });

export const emailBody = z.object({ email: emailAddress });
export const tokenBody = z.object({ token: linkToken });
export const magicLinkBody = tokenBody.extend(keepsCookie);
/** Of a request for a mail: the same whether there is such an account or not. */
export const mailReply = z.object({ message: z.string() });

export const changePasswordBody = z.object({ currentPassword: password, newPassword });
export const profileBody = z.object({ name: displayName });

/** What makes an empty file somebody's. */
export const setup = z.object({
  organization: displayName,
  project: displayName,
  name: displayName.optional(),
  email: emailAddress,
  password: newPassword,
});
export const setupBody = setup.extend({ token: linkToken, ...keepsCookie });

export const setupReply = loginReply.extend({
  organizationId: z.string(),
  projectId: z.string(),
  userId: z.string(),
  keyId: z.string(),
  apiKey: z.string(),
});

export type SetupReply = z.infer<typeof setupReply>;

export const meReply = z.object({
  user: z.object({ id: z.string(), email: z.string(), name: z.string(), emailVerified: z.boolean() }),
  /** The organizations of the person by name, each with what a page around everything else shows. */
  memberships: z.array(
    z.object({
      organizationId: z.string(),
      organizationName: z.string(),
      role: z.enum(ROLES),
      plan: z.enum(['free', 'pro', 'scale']),
      /** Events a month in force. */
      monthlyEvents: z.int(),
      /** Days of retention in force. */
      retentionDays: z.int(),
      projects: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
});
export type Me = z.infer<typeof meReply>;

/** How people may sign in here: what a sign-in page shows. */
export const methodsReply = z.object({
  signup: z.enum(['closed', 'invitation', 'open']),
  /** Whether the server sends mail: without it there are no magic links and no resets by mail. */
  mail: z.boolean(),
  oauth: z.array(z.enum(['github', 'google'])),
});
export type SignInMethods = z.infer<typeof methodsReply>;

/** A path of this server: not `//host` and not `/\\host`, which browsers take for another server. */
const ownPath = z.string().regex(/^\/(?![/\\])[\x21-\x7e]{0,500}$/);

const provider = z.enum(['github', 'google']).describe('The provider, as the operator configured it.');
const sent = z.string().max(2_000).optional();

export const oauthBody = z.object({
  provider,
  /** Where the browser goes afterwards. */
  next: ownPath.default('/'),
});
export const oauthReply = z.object({ url: z.string() });

export const sessionRow = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Where it was begun. */
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});
export const sessionsReply = z.object({ sessions: z.array(sessionRow) });
export const endedReply = z.object({ ended: z.int() });

export const postLoginEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/login',
  auth: 'none',
  summary: 'Sign in with e-mail address and password',
  body: credentials,
  reply: loginReply,
});

export const postMagicLinkEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/sign-in/magic-link',
  auth: 'none',
  summary: 'Send a link that signs the owner of an address in, once and within 15 minutes',
  body: emailBody,
  reply: mailReply,
  status: 202,
});

export const postMagicLinkVerifyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/magic-link/verify',
  auth: 'none',
  summary: 'Sign in with the token of a magic link',
  body: magicLinkBody,
  reply: loginReply,
});

export const postLogoutEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/logout',
  auth: 'session',
  summary: 'End this session',
  status: 204,
});

export const getMeEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/auth/me',
  auth: 'session',
  summary: 'Who is signed in, with their organizations, roles and projects',
  reply: meReply,
});

export const getMethodsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/auth/methods',
  auth: 'none',
  summary: 'How people sign in here',
  reply: methodsReply,
});

export const postSetupEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/setup',
  auth: 'none',
  summary: 'Redeem the one-time setup token of a file without an owner',
  body: setupBody,
  reply: setupReply,
  status: 201,
});

export const postSignupEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/signup',
  auth: 'none',
  summary:
    'Make an account, where the operator allows it: 202 and a link by mail, or 201 where no mail is sent',
  body: signupBody,
  reply: z.union([loginReply, mailReply]),
  status: 201,
});

export const postSignupConfirmEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/signup/confirm',
  auth: 'none',
  summary: 'Make the account of a sign-up link, with the password chosen now',
  body: choosePasswordBody,
  reply: loginReply,
  status: 201,
});

export const postRequestResetEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/request-password-reset',
  auth: 'none',
  summary: 'Send a link for choosing a new password',
  body: emailBody,
  reply: mailReply,
  status: 202,
});

export const postResetEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/reset-password',
  auth: 'none',
  summary: 'Set the password of a reset link: ends all sessions and begins a new one',
  body: choosePasswordBody,
  reply: loginReply,
});

export const postChangePasswordEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/change-password',
  auth: 'session',
  summary: 'Change the password; ends the other sessions',
  body: changePasswordBody,
  status: 204,
});

export const postRequestVerificationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/send-verification-email',
  auth: 'session',
  summary: 'Send a link that confirms the own address',
  reply: mailReply,
  status: 202,
});

export const postVerifyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/verify-email',
  auth: 'none',
  summary: 'Confirm the address of a verification link',
  body: tokenBody,
  status: 204,
});

export const putMeEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/auth/me',
  auth: 'session',
  summary: 'Change the own name',
  body: profileBody,
  status: 204,
});

export const getSessionsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/auth/sessions',
  auth: 'session',
  summary: 'The own sessions, the newest first',
  reply: sessionsReply,
});

export const deleteSessionsEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/auth/sessions',
  auth: 'session',
  summary: 'End all own sessions but this one',
  reply: endedReply,
});

export const deleteSessionEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/auth/sessions/:sessionId',
  auth: 'session',
  summary: 'End one own session',
  params: z.object({ sessionId: z.string() }),
  status: 204,
});

export const postSocialEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/sign-in/social',
  auth: 'none',
  summary: 'Begin a sign-in with GitHub or Google: send the browser to the URL of the reply',
  body: oauthBody,
  reply: oauthReply,
});

export const getCallbackEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/auth/callback/:provider',
  auth: 'none',
  summary: 'Where GitHub and Google send the browser back to',
  params: z.object({ provider }),
  query: z.object({ code: sent, state: sent, error: sent }),
  status: 302,
});
