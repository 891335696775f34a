import { z } from 'zod';
import { defineEndpoint } from '../../tenancy/contract.ts';
import { keepsCookie, loginReply } from '../contract.ts';
import { assertion, firstCodes, passkeyRow, proof, requestOptions } from '../passkeys/contract.ts';

const proofBody = z.object(proof);

/** Six digits, as apps show them: possibly in two groups. */
export const totpCode = z
  .string()
  .max(20)
  .transform((code) => code.replaceAll(' ', ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must be the six digits of the app'))
  .describe('Six digits of the authenticator app. Each code is accepted once.');

/** The ways to complete a sign-in. */
export const FACTOR_METHODS = ['totp', 'passkey', 'recovery_code'] as const;
const methods = z.array(z.enum(FACTOR_METHODS)).describe('Ways to complete the sign-in.');

export const recoveryCodesReply = z.object({
  recoveryCodes: z
    .array(z.string())
    .describe('Ten codes, each valid once; only this reply shows them. They replace all earlier ones.'),
});
export const twoFactorReply = z.object({
  totp: z
    .object({
      createdAt: z.iso.datetime().describe('When the app was added, ISO 8601 UTC.'),
      lastUsedAt: z.iso.datetime().nullable().describe('Last sign-in with it, ISO 8601 UTC; null if none.'),
    })
    .nullable()
    .describe('The authenticator app; null if you have none.'),
  passkeys: z.array(passkeyRow).describe('Passkeys, oldest first.'),
  recoveryCodesLeft: z.int().describe('Recovery codes that were not used.'),
  hasPassword: z.boolean().describe('Whether you have a password, which changes of these factors ask for.'),
  passkeyProblem: z
    .string()
    .nullable()
    .describe('Why passkeys cannot be used at this address, and how to mend it; null if they can.'),
});

export type TwoFactor = z.infer<typeof twoFactorReply>;

export const secondStepBody = z.object({
  challenge: z.string().min(1).max(200).describe('`challenge` of the reply that asked for a second factor.'),
  code: totpCode.optional(),
  recoveryCode: z.string().min(1).max(100).optional().describe('A recovery code. Each is valid once.'),
  passkey: assertion.optional(),
  ...keepsCookie,
});

/** The fields of a 401 that asks for a second factor. */
export type SecondFactorChallenge = {
  readonly code: 'second_factor_required';
  readonly challenge: string;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
  readonly methods: readonly (typeof FACTOR_METHODS)[number][];
};

export const getTwoFactorEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/auth/two-factor',
  auth: 'session',
  summary: 'Get your authenticator app, passkeys and number of recovery codes',
  reply: twoFactorReply,
});

export const postTotpEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/two-factor/totp',
  auth: 'session',
  summary: 'Begin to add an authenticator app, or to replace it: returns a secret to confirm',
  description: 'Nothing is stored before the confirmation.',
  reply: z.object({
    secret: z.string().describe('Secret for the app, in base32.'),
    uri: z.string().describe('The same as an `otpauth://` address, for a QR code.'),
    enrolment: z.string().describe('Send it with the first code, within 15 minutes.'),
  }),
});

export const postTotpConfirmEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/two-factor/totp/confirm',
  auth: 'session',
  summary: 'Add the authenticator app with its first code; your first factor ends your other login sessions',
  body: z.object({
    enrolment: z.string().min(1).max(1000).describe('`enrolment` of the reply that gave the secret.'),
    code: totpCode,
    ...proof,
  }),
  example: { enrolment: 'the-enrolment-of-the-reply', code: '123456', password: 'correct horse battery' },
  reply: z.object({ recoveryCodes: firstCodes }),
});

export const postTotpRemoveEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/two-factor/totp/remove',
  auth: 'session',
  summary: 'Remove the authenticator app',
  body: proofBody,
  example: { password: 'correct horse battery' },
  status: 204,
});

export const postRecoveryCodesEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/two-factor/recovery-codes',
  auth: 'session',
  summary: 'Replace your recovery codes',
  body: proofBody,
  example: { password: 'correct horse battery' },
  reply: recoveryCodesReply,
  status: 201,
});

export const postSecondStepEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/login/second-factor',
  auth: 'none',
  summary: 'Complete a sign-in with a second factor: one of `code`, `recoveryCode` and `passkey`',
  description:
    'A person with an authenticator app or a passkey cannot sign in with a password, a link or an identity provider alone. Those requests reply 401 with `code: "second_factor_required"`, a `challenge` that is valid for 15 minutes, and the `methods` of the person.',
  body: secondStepBody,
  example: { challenge: 'the-challenge-of-the-401', code: '123456' },
  reply: loginReply,
});

export const postSecondStepOptionsEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/login/second-factor/options',
  auth: 'none',
  summary: 'Get the ways to complete a sign-in, with the options for a passkey',
  body: z.object({ challenge: z.string().min(1).max(200).describe('`challenge` of the 401.') }),
  example: { challenge: 'the-challenge-of-the-401' },
  reply: z.object({
    methods,
    passkey: requestOptions
      .nullable()
      .describe('WebAuthn options for `navigator.credentials.get`; null without a passkey for this address.'),
  }),
});
