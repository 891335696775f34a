import { z } from 'zod';
import { displayName, emailAddress } from '../orgs/contract.ts';
import { defineEndpoint, ROLES } from '../tenancy/contract.ts';

/** A password to be set. Longer than 1,024 characters only makes work. */
export const newPassword = z.string().min(8).max(1024).describe('Password, 8 to 1,024 characters.');
const password = z.string().min(1).max(1024).describe('The password.');
/** The secret part of a link. */
export const linkToken = z.string().min(1).max(200);

/**
 * `cookie: true` keeps the session in a cookie that no script can read, for pages of this server; the reply
 * then has no token. Without it the reply has the bearer token, and no cookie is set.
 */
export const keepsCookie = {
  cookie: z
    .boolean()
    .optional()
    .describe(
      '`true` keeps the login session in a cookie that scripts cannot read; the reply then has no token. Default: false.',
    ),
};

export const credentials = z.object({
  email: emailAddress.describe('Email address, in lower case.'),
  password,
  ...keepsCookie,
});

export const loginReply = z
  .object({
    token: z.string().nullable().describe('Signed bearer token; null if a cookie holds it.'),
    expiresAt: z.iso.datetime().describe('When the login session ends, ISO 8601 UTC.'),
    user: z
      .object({
        id: z.string().describe('Id.'),
        email: z.string().describe('Email address, in lower case.'),
        name: z.string().describe('Name of the person.'),
      })
      .describe('The person.'),
  })
  .meta({ id: 'LoginSession' });
export type LoginReply = z.infer<typeof loginReply>;

export const signupBody = z.object({
  email: emailAddress.describe('Email address, in lower case.'),
  password: newPassword
    .optional()
    .describe(
      'Password, 8 to 1,024 characters; required if the server sends no mail, otherwise chosen with the link.',
    ),
  name: displayName.optional().describe('Name of the person.'),
  organization: displayName.optional().describe("Name of the organization. Default: the person's name."),
  ...keepsCookie,
});

/** Behind the link of a mail: a new account, or a new password. Both sign in. */
export const choosePasswordBody = z.object({
  token: linkToken.describe('Secret part of the link.'),
  password: newPassword.describe('Password, 8 to 1,024 characters.'),
  ...keepsCookie,
});

export const emailBody = z.object({ email: emailAddress.describe('Email address, in lower case.') });
export const magicLinkBody = z.object({
  token: linkToken.describe('Secret part of the link.'),
  ...keepsCookie,
});
export const verifyBody = z.object({
  token: linkToken.describe('Secret part of the link.'),
  password: newPassword
    .optional()
    .describe('New password, 8 to 1,024 characters, for a request that is not signed in to the account.'),
});
/** Of a request for a mail: the same whether there is such an account or not. */
export const mailReply = z.object({ message: z.string().describe('Text to show to the person.') });

export const changePasswordBody = z.object({
  currentPassword: password.describe('The password in force.'),
  newPassword,
});
export const profileBody = z.strictObject({ name: displayName.describe('Name of the person.') });

/** What makes an empty file somebody's. */
export const setup = z.object({
  organization: displayName.describe("Name of the organization. Default: the person's name."),
  project: displayName.describe('Name of the first project.'),
  name: displayName.optional().describe('Name of the person.'),
  email: emailAddress.describe('Email address, in lower case.'),
  password: newPassword.describe('Password, 8 to 1,024 characters.'),
});
export const setupBody = setup.extend({
  token: linkToken.describe('Secret part of the setup link.'),
  ...keepsCookie,
});

export const setupReply = loginReply.extend({
  organizationId: z.string().describe('Id of the organization.'),
  projectId: z.string().describe('Id of the project.'),
  userId: z.string().describe('Id of the person.'),
  keyId: z.string().describe('Id of the API key.'),
  apiKey: z.string().describe('The API key itself; only this reply shows it.'),
});

export type SetupReply = z.infer<typeof setupReply>;

export const meReply = z.object({
  user: z
    .object({
      id: z.string().describe('Id.'),
      email: z.string().describe('Email address, in lower case.'),
      name: z.string().describe('Name of the person.'),
      emailVerified: z.boolean().describe('Whether the email address was confirmed.'),
      secondFactor: z.boolean().describe('Whether the person has an authenticator app or a passkey.'),
      timeZone: z
        .string()
        .describe('Time zone that the person chose for the dashboard: an IANA name, or `browser`.'),
      operator: z
        .boolean()
        .describe('Whether the person sees the server as a whole, as the setting `OPERATORS` says.'),
    })
    .describe('The person.'),
  memberships: z
    .array(
      z.object({
        organizationId: z.string().describe('Id of the organization.'),
        organizationName: z.string().describe('Name of the organization.'),
        role: z.enum(ROLES).describe('Role in the organization; `owner` has most rights, `viewer` least.'),
        plan: z.enum(['free', 'pro', 'scale']).describe('Plan of the organization.'),
        monthlyEvents: z.int().describe('Events that the organization may record in a month.'),
        monthlyBytes: z.int().describe('Bytes of events that the organization may store in a month.'),
        retentionDays: z.int().describe('Days for which events are kept.'),
        needsSecondFactor: z
          .boolean()
          .describe('Whether the organization is closed to the person until they add a second factor.'),
        projects: z
          .array(
            z.object({ id: z.string().describe('Id.'), name: z.string().describe('Name of the person.') }),
          )
          .describe('Projects of the organization; none while `needsSecondFactor` is true.'),
      }),
    )
    .describe('Organizations of the person, by name.'),
});
export type Me = z.infer<typeof meReply>;

/** How people may sign in here: what a sign-in page shows. */
export const methodsReply = z.object({
  signup: z
    .enum(['closed', 'invitation', 'open'])
    .describe('Who may create an account: nobody, invited people or everybody.'),
  mail: z
    .boolean()
    .describe(
      'Whether the server sends mail; without it there are no magic links and no password resets by mail.',
    ),
  passkeys: z.boolean().describe('Whether passkeys can be used at this address.'),
  needsOwner: z
    .boolean()
    .describe(
      'Whether the ledger has no owner yet: the link that the server prints when it starts sets one up.',
    ),
  oauth: z
    .array(
      z.object({
        id: z.string().describe('Id of the provider.'),
        name: z.string().describe('Name of the provider, for a button.'),
      }),
    )
    .describe('Identity providers that the operator configured.'),
});
export type SignInMethods = z.infer<typeof methodsReply>;

/** A path of this server: not `//host` and not `/\\host`, which browsers take for another server. */
const ownPath = z
  .string()
  .regex(
    /^\/(?![/\\])[\x21-\x7e]{0,500}$/,
    'must be a path of this server, such as /projects, without spaces',
  );

/** Id of an identity provider in the operator's settings. */
export const providerId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'is 1 to 40 lower-case letters, digits and hyphens');
const provider = providerId.describe('The provider, as the operator configured it.');
const sent = z.string().max(4_000).optional();

export const oauthBody = z.object({
  provider,
  next: ownPath
    .default('/')
    .describe('Path of this server to which the browser goes afterwards. Default: `/`.'),
});
export const oauthReply = z.object({ url: z.string().describe('URL to which the browser has to go.') });

export const logoutReply = z.object({
  endSessionUrl: z.string().describe('URL to which the browser has to go to sign out at the issuer too.'),
});

export const postLoginEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/login',
  auth: 'none',
  summary: 'Sign in with email address and password',
  body: credentials,
  example: { email: 'ada@example.com', password: 'correct horse battery' },
  reply: loginReply,
});

export const postMagicLinkEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/sign-in/magic-link',
  auth: 'none',
  summary: 'Send a link that signs the owner of an address in, once and within 15 minutes',
  body: emailBody,
  example: { email: 'ada@example.com' },
  reply: mailReply,
  status: 202,
});

export const postMagicLinkVerifyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/magic-link/verify',
  auth: 'none',
  summary: 'Sign in with the token of a magic link',
  body: magicLinkBody,
  example: { token: 'the-token-of-the-link' },
  reply: loginReply,
});

export const postLogoutEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/logout',
  auth: 'session',
  summary: 'End this session: 204, or 200 with the URL that also ends it at the identity provider',
  reply: logoutReply.nullable(),
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
  example: {
    organization: 'Acme',
    project: 'Support assistant',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    password: 'correct horse battery',
    token: 'the-token-of-the-link',
  },
  reply: setupReply,
  status: 201,
});

export const checkSetupEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/setup/check',
  auth: 'none',
  summary: 'Whether a setup token can still be redeemed: 204, or 403 with the reason',
  body: setupBody.pick({ token: true }),
  example: { token: 'the-token-of-the-link' },
  status: 204,
});

export const postSignupEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/signup',
  auth: 'none',
  summary:
    'Make an account, where the operator allows it: 202 and a link by mail, or 201 where no mail is sent',
  body: signupBody,
  example: {
    email: 'grace@example.com',
    password: 'correct horse battery',
    name: 'Grace Hopper',
    organization: 'Hopper',
  },
  reply: z.union([loginReply, mailReply]),
  status: 201,
});

export const postSignupConfirmEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/signup/confirm',
  auth: 'none',
  summary: 'Make the account of a sign-up link, with the password chosen now',
  body: choosePasswordBody,
  example: { token: 'the-token-of-the-link', password: 'correct horse battery' },
  reply: loginReply,
  status: 201,
});

export const postRequestResetEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/request-password-reset',
  auth: 'none',
  summary: 'Send a link for choosing a new password',
  body: emailBody,
  example: { email: 'ada@example.com' },
  reply: mailReply,
  status: 202,
});

export const postResetEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/reset-password',
  auth: 'none',
  summary: 'Set the password of a reset link: ends all sessions and begins a new one',
  body: choosePasswordBody,
  example: { token: 'the-token-of-the-link', password: 'a longer horse battery' },
  reply: loginReply,
});

export const postChangePasswordEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/change-password',
  auth: 'session',
  summary: 'Change the password; ends the other sessions',
  body: changePasswordBody,
  example: { currentPassword: 'correct horse battery', newPassword: 'a longer horse battery' },
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
  summary: 'Confirm an address; ends passwords and sessions unless you are signed in to the account',
  body: verifyBody,
  example: { token: 'the-token-of-the-link' },
  status: 204,
});

export const putMeEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/auth/me',
  auth: 'session',
  summary: 'Change your name',
  body: profileBody,
  example: { name: 'Ada Lovelace' },
  status: 204,
});

export const postSocialEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/sign-in/social',
  auth: 'none',
  summary: 'Begin a sign-in with an identity provider: send the browser to the URL of the reply',
  body: oauthBody,
  example: { provider: 'github', next: '/' },
  reply: oauthReply,
});

export const getCallbackEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/auth/callback/:provider',
  auth: 'none',
  summary: 'Where an identity provider sends the browser back to',
  params: z.object({ provider }),
  // Providers also send parameters of their own: `iss`, `scope`, `session_state`, `authuser` and more.
  query: z.looseObject({
    code: sent.describe('Code of the identity provider.'),
    state: sent.describe('Value that the sign-in began with.'),
    error: sent.describe('Why the identity provider refused.'),
  }),
  status: 302,
});
