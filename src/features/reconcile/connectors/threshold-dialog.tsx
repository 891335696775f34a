import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { driftEndpoint, setThresholdEndpoint, Threshold } from './contract.ts';

const driftApi = endpointOf<typeof driftEndpoint>('GET /v1/drift');
const setThresholdApi = endpointOf<typeof setThresholdEndpoint>('PUT /v1/drift/threshold');

/** Sets from which difference on the organization is warned. */
export function ThresholdDialog({
  threshold,
  onClose,
}: {
  threshold: Threshold;
  onClose: () => void;
}): JSX.Element {
  const { organizationId } = useMember();
  const save = useChange<Threshold>({
    failed: 'The threshold was not saved',
    inForm: true,
    send: (body) => send(setThresholdApi, { query: { organizationId }, body }),
    stale: [driftApi],
    done: 'The threshold was saved',
  });
  const form = useSubmit(async ({ percent = '', usd = '' }) => {
    await save.mutateAsync({ percent: Number(percent), usd: Number(usd) });
    onClose();
  });
  return (
    <FormDialog title="Threshold" form={form} submit="Save" onClose={onClose} size="sm">
      <p className="dim">A settled day and model gives one warning if its difference reaches both.</p>
      <TextInput
        label="Per cent of the larger amount"
        name="percent"
        inputMode="decimal"
        required
        defaultValue={threshold.percent}
        data-autofocus
      />
      <TextInput label="USD" name="usd" inputMode="decimal" required defaultValue={threshold.usd} />
    </FormDialog>
  );
}
