import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import type { postRecoveryCodesEndpoint } from './contract.ts';
import { type PanelProps, ProofDialog, refreshFactors } from './two-factor-api.tsx';

const replaceApi = endpointOf<typeof postRecoveryCodesEndpoint>('POST /v1/auth/two-factor/recovery-codes');

/** The recovery codes: how many are left, and new ones. */
export function RecoveryPanel({ factors, onCodes }: PanelProps): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const left = factors.recoveryCodesLeft;
  if (factors.totp === null && factors.passkeys.length === 0) return null;
  return (
    <Panel title="Recovery codes">
      <div className="form">
        <p className={left < 3 ? 'warn' : undefined}>
          {left} of 10 left. Each signs in once, if you have neither the app nor a passkey at hand.
        </p>
        <Button variant="default" className="own-width" onClick={() => setOpen(true)}>
          Replace
        </Button>
      </div>
      {isOpen && (
        <ProofDialog
          title="Replace the recovery codes?"
          submit="Replace"
          factors={factors}
          onClose={() => setOpen(false)}
          onProof={async (body) => {
            const { recoveryCodes } = await send(replaceApi, { body });
            onCodes(recoveryCodes);
            await refreshFactors();
          }}
        >
          <p>You get ten new codes. The old ones stop working.</p>
        </ProofDialog>
      )}
    </Panel>
  );
}
