import { Anchor, Button, PasswordInput } from '@mantine/core';
import { startAuthentication } from '@simplewebauthn/browser';
import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Dialog } from '../../../dashboard/ui/dialog.tsx';
import { EntryForm } from '../../../dashboard/ui/entry-form.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { CodeForm, PasskeyButton } from '../two-factor/factor-forms.tsx';
import type {
  PROOF_METHODS,
  postReauthenticateEndpoint,
  postReauthenticateOptionsEndpoint,
} from './contract.ts';

const proofApi = endpointOf<typeof postReauthenticateEndpoint>('POST /v1/auth/reauthenticate');
const optionsApi = endpointOf<typeof postReauthenticateOptionsEndpoint>(
  'POST /v1/auth/reauthenticate/options',
);

type Method = (typeof PROOF_METHODS)[number];
type Proof = { readonly password?: string; readonly code?: string };

const LINKS: Readonly<Record<Method, string>> = {
  password: 'Use your password',
  totp: 'Use the authenticator app',
  passkey: 'Use a passkey',
};

type Props = { readonly onProven: () => void; readonly onCancel: () => void };

/** Asks for the password, a code or a passkey, because the sign-in is older than a change allows. */
export const AgainDialog = ({ onProven, onCancel }: Props): JSX.Element => (
  <Dialog onClose={onCancel} title="Confirm that it is you" size="sm" zIndex={300}>
    <div className="form">
      <p>This change needs a sign-in within the last 10 minutes.</p>
      <Proofs onProven={onProven} />
    </div>
  </Dialog>
);

function Proofs({ onProven }: { onProven: () => void }): JSX.Element {
  const [chosen, setChosen] = useState<Method | null>(null);
  const options = useQuery({
    queryKey: [optionsApi.path],
    queryFn: () => send(optionsApi, {}),
    retry: false,
    gcTime: 0,
  });
  if (options.error !== null)
    return (
      <p role="alert" className="form-error">
        {options.error.message}
      </p>
    );
  if (options.data === undefined) return <p role="status">One moment …</p>;
  const { methods, passkey } = options.data;
  const method = chosen ?? methods[0];
  const prove = async (proof: Proof): Promise<void> => {
    await send(proofApi, { body: proof });
    onProven();
  };
  const provePasskey = async (): Promise<void> => {
    if (passkey === null) return;
    await send(proofApi, { body: { passkey: await startAuthentication({ optionsJSON: passkey }) } });
    onProven();
  };
  return (
    <>
      {method === undefined && <SignInAgain />}
      {method === 'password' && <PasswordForm onProof={prove} />}
      {method === 'totp' && <CodeForm submit="Confirm" onCode={(code) => prove({ code })} />}
      {method === 'passkey' && <PasskeyButton onUse={provePasskey} />}
      {methods
        .filter((other) => other !== method)
        .map((other) => (
          <Anchor key={other} component="button" type="button" size="sm" onClick={() => setChosen(other)}>
            {LINKS[other]}
          </Anchor>
        ))}
    </>
  );
}

/** For people without a password or a factor: the sign-in page, and back. */
const SignInAgain = (): JSX.Element => (
  <>
    <p>You have no password and no second factor here. Sign in again, then repeat the change.</p>
    <Button component="a" href={`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`}>
      Sign in again
    </Button>
  </>
);

type FormProps = { readonly onProof: (proof: Proof) => Promise<void> };

function PasswordForm({ onProof }: FormProps): JSX.Element {
  const form = useSubmit(({ password = '' }) => onProof({ password }));
  return (
    <EntryForm form={form} submit="Confirm">
      <PasswordInput
        label="Your password"
        name="password"
        autoComplete="current-password"
        required
        data-autofocus
      />
    </EntryForm>
  );
}
