import { NativeSelect, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { SilenceInput } from '../silences/contract.ts';
import { ALERTS_STALE, createSilenceApi } from './alerts-api.ts';
import { SILENCE_PRESETS } from './silence-presets.ts';

type Props = {
  /** What is silenced: an alert, a group of it, or without either all alerts of the project. */
  readonly of: Pick<SilenceInput, 'alertId' | 'group'>;
  readonly title: string;
  readonly onClose: () => void;
};

const CUSTOM = 'custom';

/** Asks how long notifications are held back, and why. */
export function SilenceDialog({ of, title, onClose }: Props): JSX.Element {
  const projectId = useProjectId();
  const [length, setLength] = useState('0');
  const silence = useChange<SilenceInput>({
    failed: 'The silence was not created',
    inForm: true,
    send: (body) => send(createSilenceApi, { query: { projectId }, body }),
    stale: ALERTS_STALE,
    done: 'Notifications are silenced',
  });
  const form = useSubmit(async ({ reason = '', until = '' }) => {
    const preset = SILENCE_PRESETS[Number(length)];
    const end = length === CUSTOM ? Date.parse(until) : preset?.until(Date.now());
    await silence.mutateAsync({ ...of, reason, until: formatInstant(end ?? Number.NaN) });
    onClose();
  });
  return (
    <FormDialog title={title} form={form} submit="Silence" onClose={onClose}>
      <p className="dim">
        Nobody is notified until then; states and history go on. What still fires at the end notifies then.
      </p>
      <NativeSelect
        label="For"
        value={length}
        onChange={({ currentTarget: { value } }) => setLength(value)}
        data={[
          ...SILENCE_PRESETS.map(({ label }, place) => ({ value: String(place), label })),
          { value: CUSTOM, label: 'Until a time…' },
        ]}
        data-autofocus
      />
      {length === CUSTOM && (
        <TextInput label="Until" name="until" type="datetime-local" description="Your local time" required />
      )}
      <TextInput label="Reason" name="reason" placeholder="Planned maintenance" required maxLength={500} />
    </FormDialog>
  );
}
