import {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

/**
 * All that is used of the WebAuthn library. It is loaded by the first use of a passkey; in the binary it is compressed
 * until then (`build.ts`).
 */
export const webauthn = {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
};
