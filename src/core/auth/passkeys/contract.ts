import { z } from 'zod';
import { displayName } from '../../orgs/contract.ts';
import { defineEndpoint } from '../../tenancy/contract.ts';
import { keepsCookie, loginReply } from '../contract.ts';

/** The password, again, for a change of how somebody signs in. */
export const proof = {
  password: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe('Your password. A person without one must have signed in within the last 10 minutes.'),
};
/** The recovery codes that come with the first factor. */
export const firstCodes = z
  .array(z.string())
  .nullable()
  .describe('Ten recovery codes, each valid once, if this is your first factor; only this reply shows them.');

/** base64url; the longest is an attestation. */
const bytes = z.string().max(20_000);
const name = displayName.max(100).describe('Name of the passkey, 1 to 100 characters.');
const transports = z.array(z.string().max(50)).max(10);

const credential = {
  id: z.string().min(1).max(2_000).describe('Id of the credential, base64url.'),
  rawId: z.string().min(1).max(2_000).describe('The same.'),
  type: z.literal('public-key').describe('`public-key`.'),
  clientExtensionResults: z
    .unknown()
    .transform(() => ({}))
    .describe('Ignored.'),
};

/** A new credential, `RegistrationResponseJSON` of WebAuthn. */
export const attestation = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: bytes.describe('base64url.'),
        attestationObject: bytes.describe('base64url.'),
        transports: transports.optional().describe('How the browser reaches the authenticator.'),
      })
      .describe('What the authenticator made.'),
  })
  .describe('`RegistrationResponseJSON` of WebAuthn.');
export type Attestation = z.output<typeof attestation>;

/** A use of a credential, `AuthenticationResponseJSON` of WebAuthn. */
export const assertion = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: bytes.describe('base64url.'),
        authenticatorData: bytes.describe('base64url.'),
        signature: bytes.describe('base64url.'),
      })
      .describe('What the authenticator signed.'),
  })
  .describe('`AuthenticationResponseJSON` of WebAuthn.');
export type Assertion = z.output<typeof assertion>;

const EXAMPLE_ATTESTATION = {
  id: 'AAECAwQFBgc',
  rawId: 'AAECAwQFBgc',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'eyJ0eXBlIjoi', attestationObject: 'o2NmbXRkbm9u', transports: ['internal'] },
} as const;
const EXAMPLE_ASSERTION = {
  id: 'AAECAwQFBgc',
  rawId: 'AAECAwQFBgc',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'eyJ0eXBlIjoi', authenticatorData: 'SZYN5YgOjGh0', signature: 'MEUCIQDx' },
} as const;

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn, as far as this server uses it. */
export const requestOptions = z.object({
  challenge: z.string().describe('base64url.'),
  rpId: z.string().describe('Host name that the passkeys belong to.'),
  timeout: z.int().describe('Milliseconds.'),
  userVerification: z.literal('required').describe('The authenticator asks for a PIN or a fingerprint.'),
  allowCredentials: z
    .array(
      z.object({
        id: z.string().describe('Id of the credential, base64url.'),
        type: z.literal('public-key').describe('`public-key`.'),
        transports: transports.describe('How the browser reaches the authenticator.'),
      }),
    )
    .describe('The passkeys of the person; empty for any passkey of this server.'),
});
export type RequestOptions = z.infer<typeof requestOptions>;

export const passkeyRow = z.object({
  id: z.string().describe('Id.'),
  name: z.string().describe('Name of the passkey.'),
  createdAt: z.iso.datetime().describe('When it was added, ISO 8601 UTC.'),
  lastUsedAt: z.iso.datetime().nullable().describe('Last sign-in with it, ISO 8601 UTC; null if none.'),
  backedUp: z.boolean().describe('Whether a password manager keeps copies of it.'),
});
export type PasskeyRow = z.infer<typeof passkeyRow>;

const passkeyParams = z.object({ passkeyId: z.string().max(100).describe('Id of the passkey.') });

export const postPasskeyOptionsEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/passkeys/options',
  auth: 'session',
  summary: 'Begin to add a passkey: returns options for `navigator.credentials.create`',
  body: z.object(proof),
  example: { password: 'correct horse battery' },
  reply: z.object({
    options: z
      .looseObject({ challenge: z.string().describe('base64url.') })
      .describe('`PublicKeyCredentialCreationOptionsJSON` of WebAuthn.'),
  }),
});

export const postPasskeyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/passkeys',
  auth: 'session',
  summary: 'Add a passkey; your first factor ends your other login sessions',
  body: z.object({ name, response: attestation }),
  example: { name: 'Laptop', response: EXAMPLE_ATTESTATION },
  reply: z.object({ passkey: passkeyRow.describe('The passkey.'), recoveryCodes: firstCodes }),
  status: 201,
});

export const putPasskeyEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/auth/passkeys/:passkeyId',
  auth: 'session',
  summary: 'Rename a passkey',
  params: passkeyParams,
  body: z.object({ name }),
  example: { name: 'Phone' },
  status: 204,
});

export const postPasskeyRemoveEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/passkeys/:passkeyId/remove',
  auth: 'session',
  summary: 'Remove a passkey',
  params: passkeyParams,
  body: z.object(proof),
  example: { password: 'correct horse battery' },
  status: 204,
});

export const postPasskeySignInOptionsEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/passkeys/sign-in/options',
  auth: 'none',
  summary: 'Begin a sign-in with a passkey: returns options for `navigator.credentials.get`',
  reply: z.object({ options: requestOptions.describe('Options of WebAuthn.') }),
});

export const postPasskeySignInEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/passkeys/sign-in',
  auth: 'none',
  summary: 'Sign in with a passkey alone',
  body: z.object({ response: assertion, ...keepsCookie }),
  example: { response: EXAMPLE_ASSERTION },
  reply: loginReply,
});
