import { TextInput } from '@mantine/core';
import { type JSX, useEffect, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Dialog } from '../../../dashboard/ui/dialog.tsx';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { SecretOnce } from '../../../dashboard/ui/secret-once.tsx';
import { LoadingRows } from '../../../dashboard/ui/states.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { postTotpConfirmEndpoint, postTotpEndpoint } from './contract.ts';
import { QrCode } from './qr-code.tsx';
import { type PanelProps, ProofField, proofOf, refreshFactors } from './two-factor-api.tsx';

const beginApi = endpointOf<typeof postTotpEndpoint>('POST /v1/auth/two-factor/totp');
const confirmApi = endpointOf<typeof postTotpConfirmEndpoint>('POST /v1/auth/two-factor/totp/confirm');

type Begun = { readonly secret: string; readonly uri: string; readonly enrolment: string };

/** Adds an authenticator app: its QR code, the password and the first code of the app. */
export function TotpDialog({ factors, onCodes, onClose }: PanelProps & { onClose: () => void }): JSX.Element {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    send(beginApi, {}).then(setBegun, (error: Error) => setRefused(error.message));
  }, []);
  const confirm = useSubmit(async ({ code = '', ...fields }) => {
    const { recoveryCodes } = await send(confirmApi, {
      body: { enrolment: begun?.enrolment ?? '', code, ...proofOf(fields) },
    });
    onCodes(recoveryCodes);
    await refreshFactors();
    onClose();
  });
  if (begun === null)
    return (
      <Dialog onClose={onClose} title="Add an authenticator app" size="sm">
        {refused === null ? <LoadingRows rows={3} /> : <p role="alert">{refused}</p>}
      </Dialog>
    );
  return (
    <FormDialog
      title="Add an authenticator app"
      form={confirm}
      submit="Add the app"
      onClose={onClose}
      size="sm"
    >
      <p>Scan the QR code with the app, or type the secret into it. Any app for time-based codes fits.</p>
      <QrCode text={begun.uri} label="QR code for the authenticator app" />
      <SecretOnce value={begun.secret} />
      <ProofField factors={factors} />
      <TextInput
        label="Code that the app shows"
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        placeholder="123 456"
        maxLength={7}
        required
        data-autofocus={!factors.hasPassword}
        // The sixth digit completes the code.
        onChange={({ currentTarget: { value, form } }) => {
          if (value.replace(/\s/g, '').length === 6) form?.requestSubmit();
        }}
      />
    </FormDialog>
  );
}
