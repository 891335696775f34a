import { Button, Group } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { agoText, timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import type { postTotpRemoveEndpoint, TwoFactor } from './contract.ts';
import { TotpDialog } from './totp-dialog.tsx';
import { type PanelProps, ProofDialog, refreshFactors } from './two-factor-api.tsx';

const removeApi = endpointOf<typeof postTotpRemoveEndpoint>('POST /v1/auth/two-factor/totp/remove');

/** The authenticator app: added, replaced, removed. */
export function TotpPanel({ factors, onCodes }: PanelProps): JSX.Element {
  const [dialog, setDialog] = useState<'add' | 'remove' | null>(null);
  const close = (): void => setDialog(null);
  const { totp } = factors;
  return (
    <Panel title="Authenticator app">
      <div className="form">
        {totp === null ? (
          <p>An app on your phone shows a code, which changes every 30 seconds.</p>
        ) : (
          <Added totp={totp} />
        )}
        <Group gap="xs">
          <Button variant={totp === null ? 'filled' : 'default'} onClick={() => setDialog('add')}>
            {totp === null ? 'Add an app' : 'Replace'}
          </Button>
          {totp !== null && (
            <Button variant="default" onClick={() => setDialog('remove')}>
              Remove
            </Button>
          )}
        </Group>
      </div>
      {dialog === 'add' && <TotpDialog factors={factors} onCodes={onCodes} onClose={close} />}
      {dialog === 'remove' && (
        <ProofDialog
          title="Remove the authenticator app?"
          submit="Remove"
          factors={factors}
          onClose={close}
          onProof={async (body) => {
            await send(removeApi, { body });
            await refreshFactors();
          }}
        >
          <LastFactorWarning isLast={factors.passkeys.length === 0} />
        </ProofDialog>
      )}
    </Panel>
  );
}

function Added({ totp }: { totp: NonNullable<TwoFactor['totp']> }): JSX.Element {
  const zone = useZone();
  const { createdAt, lastUsedAt } = totp;
  return (
    <p>
      <span className="badge good">Added</span> {timeText.date(createdAt, zone)}, last used{' '}
      {lastUsedAt === null ? 'never' : agoText(lastUsedAt, Date.now())}
    </p>
  );
}

/** What a person loses with their last factor. */
export const LastFactorWarning = ({ isLast }: { isLast: boolean }): JSX.Element => (
  <p>
    {isLast
      ? 'It is your only factor: your password alone will sign in, your recovery codes end, and organizations that require a second factor close to you.'
      : 'Your other factors stay.'}
  </p>
);
