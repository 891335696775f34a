import { Button } from '@mantine/core';
import { startAuthentication } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import type { JSX } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import type { postPasskeySignInEndpoint, postPasskeySignInOptionsEndpoint } from './contract.ts';

const optionsApi = endpointOf<typeof postPasskeySignInOptionsEndpoint>(
  'POST /v1/auth/passkeys/sign-in/options',
);
const signInApi = endpointOf<typeof postPasskeySignInEndpoint>('POST /v1/auth/passkeys/sign-in');

/** Signs in with nothing but a passkey. */
export function PasskeySignIn({ onDone }: { onDone: () => Promise<void> }): JSX.Element {
  const signIn = useMutation({
    mutationFn: async () => {
      const { options } = await send(optionsApi, {});
      const response = await startAuthentication({ optionsJSON: options });
      await send(signInApi, { body: { response, cookie: true } });
      await onDone();
    },
  });
  return (
    <div>
      {signIn.error !== null && (
        <p role="alert" className="form-error">
          {signIn.error.message}
        </p>
      )}
      <Button
        size="sm"
        variant="default"
        fullWidth
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        Sign in with a passkey
      </Button>
    </div>
  );
}
