import { z } from 'zod';
import { emailAddress } from '../../orgs/contract.ts';
import { defineEndpoint } from '../../tenancy/contract.ts';
import { linkToken, mailReply, meReply } from '../contract.ts';
import { sessionRow } from '../sessions/contract.ts';

const password = z
  .string()
  .min(1)
  .max(1024)
  .optional()
  .describe('Your password. People without one must have signed in within the last 10 minutes instead.');

export const postChangeEmailEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/change-email',
  auth: 'session',
  summary: 'Send a link to your new address; opening it changes the address',
  body: z.object({ email: emailAddress.describe('New email address, in lower case.'), password }),
  example: { email: 'ada.lovelace@example.com', password: 'correct horse battery' },
  reply: mailReply,
  status: 202,
});

export const postChangeEmailConfirmEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/change-email/confirm',
  auth: 'session',
  summary: 'Change your address with the link that came to the new one; ends your other login sessions',
  body: z.object({ token: linkToken.describe('Secret part of the link.') }),
  example: { token: 'the-token-of-the-link' },
  status: 204,
});

export const postDeleteAccountEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/delete-account',
  auth: 'session',
  summary: 'Delete your account; refused while you are the only owner of an organization',
  body: z.object({ password }),
  example: { password: 'correct horse battery' },
  status: 204,
});

const memberships = meReply.shape.memberships.element;

export const getExportEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/auth/export',
  auth: 'session',
  summary: 'Download what is stored about you: account, memberships, login sessions and ways to sign in',
  description: 'Without passwords, secrets and keys. What you made belongs to your organizations.',
  reply: z.object({
    exportedAt: z.string().describe('When this was written, ISO 8601 UTC.'),
    user: meReply.shape.user.describe('Your account.'),
    memberships: z
      .array(memberships.pick({ organizationId: true, organizationName: true, role: true }))
      .describe('Your organizations.'),
    loginSessions: z.array(sessionRow).describe('Where you are signed in.'),
    signInMethods: z
      .array(
        z.object({
          provider: z.string().describe('`credential` for a password, or the identity provider.'),
          accountId: z.string().describe('Your id there.'),
          createdAt: z.string().describe('When it was added, ISO 8601 UTC.'),
        }),
      )
      .describe('Passwords and identity providers.'),
    authenticatorAppSince: z
      .string()
      .nullable()
      .describe('When the authenticator app was added, ISO 8601 UTC; null without one.'),
    passkeys: z
      .array(
        z.object({
          name: z.string().describe('Name of the passkey.'),
          createdAt: z.string().describe('When it was added, ISO 8601 UTC.'),
        }),
      )
      .describe('Passkeys.'),
  }),
});
