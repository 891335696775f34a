import { Anchor, Button, TextInput } from '@mantine/core';
import { startAuthentication } from '@simplewebauthn/browser';
import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { EntryForm } from '../../../dashboard/ui/entry-form.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type {
  postSecondStepEndpoint,
  postSecondStepOptionsEndpoint,
  SecondFactorChallenge,
} from './contract.ts';
import { CodeForm, type CodeProps, PasskeyButton } from './factor-forms.tsx';

const stepApi = endpointOf<typeof postSecondStepEndpoint>('POST /v1/auth/login/second-factor');
const optionsApi = endpointOf<typeof postSecondStepOptionsEndpoint>(
  'POST /v1/auth/login/second-factor/options',
);

type Method = SecondFactorChallenge['methods'][number];

const LINKS: Readonly<Record<Method, string>> = {
  totp: 'Use the authenticator app',
  passkey: 'Use a passkey',
  recovery_code: 'Use a recovery code',
};

type Props = {
  readonly challenge: string;
  /** Called when the browser is signed in. */
  readonly onDone: () => Promise<void>;
  /** Back to the first step. */
  readonly onRestart: () => void;
};

/** The second step of a sign-in, in one of the ways that the person has. */
export function SecondStepForm({ challenge, onDone, onRestart }: Props): JSX.Element {
  const [chosen, setChosen] = useState<Method | null>(null);
  const options = useQuery({
    queryKey: [optionsApi.path, challenge],
    queryFn: () => send(optionsApi, { body: { challenge } }),
    retry: false,
  });
  const complete = async (factor: object): Promise<void> => {
    await send(stepApi, { body: { challenge, ...factor, cookie: true } });
    await onDone();
  };
  if (options.error !== null)
    return (
      <>
        <p role="alert" className="form-error">
          {options.error.message}
        </p>
        <Button onClick={onRestart}>Sign in again</Button>
      </>
    );
  if (options.data === undefined) return <p role="status">One moment …</p>;
  const { methods, passkey } = options.data;
  const usable = methods.filter((method) => method !== 'passkey' || passkey !== null);
  const method = chosen ?? usable[0];
  return (
    <>
      {method === 'totp' && <CodeForm key="totp" submit="Sign in" onCode={(code) => complete({ code })} />}
      {method === 'recovery_code' && <RecoveryForm onCode={(recoveryCode) => complete({ recoveryCode })} />}
      {method === 'passkey' && passkey !== null && (
        <PasskeyButton
          onUse={async () => complete({ passkey: await startAuthentication({ optionsJSON: passkey }) })}
        />
      )}
      {usable.length === 0 && (
        <p>You have a passkey, but it cannot be used at this address, and no recovery codes are left.</p>
      )}
      {usable
        .filter((other) => other !== method)
        .map((other) => (
          <Anchor key={other} component="button" type="button" size="sm" onClick={() => setChosen(other)}>
            {LINKS[other]}
          </Anchor>
        ))}
    </>
  );
}

function RecoveryForm({ onCode }: Pick<CodeProps, 'onCode'>): JSX.Element {
  const form = useSubmit(({ code = '' }) => onCode(code));
  return (
    <EntryForm form={form} submit="Sign in">
      <TextInput
        label="Recovery code"
        description="Each code works once."
        name="code"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        required
        autoFocus
      />
    </EntryForm>
  );
}
