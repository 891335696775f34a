import { Button, NativeSelect } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import { countText } from '../../lib/figures.ts';
import type { getIncidentSettingsEndpoint, putIncidentSettingsEndpoint } from './contract.ts';

const settingsApi = endpointOf<typeof getIncidentSettingsEndpoint>('GET /v1/incidents/settings');
const setApi = endpointOf<typeof putIncidentSettingsEndpoint>('PUT /v1/incidents/settings');

/** Minutes that are offered. */
const CHOICES = [5, 15, 30, 60, 120, 240];
const NEVER = 'never';

/** A button that opens the settings of a project's incidents. */
export function SettingsButton(): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Settings
      </Button>
      {isOpen && <SettingsDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function SettingsDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const projectId = useProjectId();
  const query = { projectId };
  const settings = useApi(settingsApi, { query });
  const change = useChange<number | null>({
    failed: 'The settings were not saved',
    inForm: true,
    send: (autoResolveMinutes) => send(setApi, { query, body: { autoResolveMinutes } }),
    stale: [settingsApi],
    done: 'Settings saved',
  });
  const form = useSubmit(async ({ minutes = NEVER }) => {
    await change.mutateAsync(minutes === NEVER ? null : Number(minutes));
    onClose();
  });
  return (
    <FormDialog title="Settings of incidents" form={form} submit="Save" onClose={onClose}>
      <Loaded of={settings} loading={<LoadingRows rows={1} />}>
        {({ autoResolveMinutes: now }) => (
          <NativeSelect
            label="Resolve by itself"
            description="An incident resolves when all its alerts have been healthy for so long."
            name="minutes"
            defaultValue={String(now ?? NEVER)}
            data={[
              ...[...new Set([...CHOICES, ...(now === null ? [] : [now])])]
                .sort((a, b) => a - b)
                .map((minutes) => ({
                  value: String(minutes),
                  label: `After ${countText(minutes, 'minute')}`,
                })),
              { value: NEVER, label: 'Never' },
            ]}
          />
        )}
      </Loaded>
    </FormDialog>
  );
}
