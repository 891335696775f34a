import { z } from 'zod';
import { emailAddress } from '../../orgs/contract.ts';
import { defineEndpoint } from '../../tenancy/contract.ts';
import { linkToken, mailReply } from '../contract.ts';

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
  reply: mailReply,
  status: 202,
});

export const postChangeEmailConfirmEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/change-email/confirm',
  auth: 'session',
  summary: 'Change your address with the link that came to the new one; ends your other login sessions',
  body: z.object({ token: linkToken.describe('Secret part of the link.') }),
  status: 204,
});

export const postDeleteAccountEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/delete-account',
  auth: 'session',
  summary: 'Delete your account; refused while you are the only owner of an organization',
  body: z.object({ password }),
  status: 204,
});
