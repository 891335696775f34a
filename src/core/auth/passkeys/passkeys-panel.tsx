import { Button, Group, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { agoText, timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { LastFactorWarning } from '../two-factor/totp-panel.tsx';
import { type PanelProps, ProofDialog, refreshFactors } from '../two-factor/two-factor-api.tsx';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import type { PasskeyRow, postPasskeyRemoveEndpoint, putPasskeyEndpoint } from './contract.ts';

const removeApi = endpointOf<typeof postPasskeyRemoveEndpoint>('POST /v1/auth/passkeys/:passkeyId/remove');
const renameApi = endpointOf<typeof putPasskeyEndpoint>('PUT /v1/auth/passkeys/:passkeyId');

type Open = { readonly what: 'rename' | 'remove'; readonly passkey: PasskeyRow } | { readonly what: 'add' };

/** The passkeys: added, renamed, removed. */
export function PasskeysPanel({ factors, onCodes }: PanelProps): JSX.Element {
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const { passkeys, passkeyProblem } = factors;
  return (
    <Panel title="Passkeys" flush={passkeys.length > 0}>
      {passkeys.length > 0 && (
        <Passkeys
          passkeys={passkeys}
          onRename={(passkey) => setOpen({ what: 'rename', passkey })}
          onRemove={(passkey) => setOpen({ what: 'remove', passkey })}
        />
      )}
      <div className={passkeys.length > 0 ? 'form panel-body' : 'form'}>
        <p>
          A passkey signs in alone, with the fingerprint, face or PIN of your device, a password manager or a
          security key.
        </p>
        {passkeyProblem !== null && <p className="warn">{passkeyProblem}</p>}
        {passkeyProblem === null && (
          <Button
            variant={passkeys.length === 0 ? 'filled' : 'default'}
            className="own-width"
            onClick={() => setOpen({ what: 'add' })}
          >
            Add a passkey
          </Button>
        )}
      </div>
      {open?.what === 'add' && <AddPasskeyDialog factors={factors} onCodes={onCodes} onClose={close} />}
      {open?.what === 'rename' && <RenameDialog passkey={open.passkey} onClose={close} />}
      {open?.what === 'remove' && (
        <ProofDialog
          title={`Remove ${open.passkey.name}?`}
          submit="Remove"
          factors={factors}
          onClose={close}
          onProof={async (body) => {
            await send(removeApi, { params: { passkeyId: open.passkey.id }, body });
            await refreshFactors();
          }}
        >
          <LastFactorWarning isLast={factors.totp === null && passkeys.length === 1} />
        </ProofDialog>
      )}
    </Panel>
  );
}

type PasskeysProps = {
  readonly passkeys: readonly PasskeyRow[];
  readonly onRename: (passkey: PasskeyRow) => void;
  readonly onRemove: (passkey: PasskeyRow) => void;
};

function Passkeys({ passkeys, onRename, onRemove }: PasskeysProps): JSX.Element {
  const zone = useZone();
  const now = Date.now();
  const columns: Column<PasskeyRow>[] = [
    { id: 'name', header: 'Name', wide: true, value: ({ name }) => name, cell: ({ name }) => name },
    {
      id: 'added',
      header: 'Added',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => timeText.date(createdAt, zone),
    },
    {
      id: 'used',
      header: 'Last used',
      value: ({ lastUsedAt }) => lastUsedAt ?? '',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : agoText(lastUsedAt, now)),
    },
    {
      id: 'actions',
      header: '',
      cell: (passkey) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Rename ${passkey.name}`}
            onClick={() => onRename(passkey)}
          >
            Rename
          </Button>
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Remove ${passkey.name}`}
            onClick={() => onRemove(passkey)}
          >
            Remove
          </Button>
        </Group>
      ),
    },
  ];
  return <DataTable label="Passkeys" columns={columns} rows={passkeys} rowKey={({ id }) => id} />;
}

function RenameDialog({ passkey, onClose }: { passkey: PasskeyRow; onClose: () => void }): JSX.Element {
  const form = useSubmit(async ({ name = '' }) => {
    await send(renameApi, { params: { passkeyId: passkey.id }, body: { name } });
    await refreshFactors();
    onClose();
  });
  return (
    <FormDialog title="Rename the passkey" form={form} submit="Save" onClose={onClose} size="sm">
      <TextInput
        label="Name"
        name="name"
        defaultValue={passkey.name}
        required
        maxLength={100}
        data-autofocus
      />
    </FormDialog>
  );
}
