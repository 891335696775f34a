import { z } from 'zod';
import { defineEndpoint } from '../../tenancy/contract.ts';
import { assertion, requestOptions } from '../passkeys/contract.ts';
import { totpCode } from '../two-factor/contract.ts';

/** The ways in which a signed-in person can prove to be at the keyboard. */
export const PROOF_METHODS = ['password', 'totp', 'passkey'] as const;

export const postReauthenticateEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/reauthenticate',
  auth: 'session',
  summary: 'Prove that you are at the keyboard: one of `password`, `code` and `passkey`',
  description:
    'Some requests need a sign-in within the last 10 minutes: they create keys, delete something or change owners. Otherwise they reply 403 with `code: "sign_in_again"`. Send the proof here, then repeat the request. A new sign-in counts as well.',
  body: z.object({
    password: z.string().min(1).max(1024).optional().describe('Your password.'),
    code: totpCode.optional(),
    passkey: assertion.optional(),
  }),
  example: { password: 'correct horse battery' },
  status: 204,
});

export const postReauthenticateOptionsEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/reauthenticate/options',
  auth: 'session',
  summary: 'Get the ways to prove that you are at the keyboard, with the options for a passkey',
  reply: z.object({
    methods: z
      .array(z.enum(PROOF_METHODS))
      .describe('Ways that you can use; none if only a new sign-in does.'),
    passkey: requestOptions
      .nullable()
      .describe('WebAuthn options for `navigator.credentials.get`; null without a passkey for this address.'),
  }),
});
