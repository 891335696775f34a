import { TextInput } from '@mantine/core';
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';
import type { JSX } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { type PanelProps, ProofField, proofOf, refreshFactors } from '../two-factor/two-factor-api.tsx';
import type { postPasskeyEndpoint, postPasskeyOptionsEndpoint } from './contract.ts';

const optionsApi = endpointOf<typeof postPasskeyOptionsEndpoint>('POST /v1/auth/passkeys/options');
const addApi = endpointOf<typeof postPasskeyEndpoint>('POST /v1/auth/passkeys');

/** Adds a passkey: a name and the password, then the dialog of the browser. */
export function AddPasskeyDialog({
  factors,
  onCodes,
  onClose,
}: PanelProps & { onClose: () => void }): JSX.Element {
  const form = useSubmit(async ({ name = '', ...fields }) => {
    const { options } = await send(optionsApi, { body: proofOf(fields) });
    // The server passes on the options of its WebAuthn library, whose browser side this is.
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    const response = await startRegistration({ optionsJSON });
    const { recoveryCodes } = await send(addApi, { body: { name, response } });
    onCodes(recoveryCodes);
    await refreshFactors();
    onClose();
  });
  return (
    <FormDialog title="Add a passkey" form={form} submit="Continue" onClose={onClose} size="sm">
      <TextInput
        label="Name"
        description="Such as the device that keeps it"
        name="name"
        required
        maxLength={100}
        data-autofocus
      />
      <ProofField factors={factors} />
    </FormDialog>
  );
}
