import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { ChannelChoice } from '../../core/deliveries/channels/channel-choice.tsx';
import { send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type { createIncidentEndpoint, IncidentInput, listIncidentsEndpoint } from './contract.ts';
import { SeverityField } from './incident-dialogs.tsx';

const listIncidentsApi = endpointOf<typeof listIncidentsEndpoint>('GET /v1/incidents');
const createIncidentApi = endpointOf<typeof createIncidentEndpoint>('POST /v1/incidents');

const MEASURES = {
  '': 'Not a measure',
  errorRate: 'Error rate',
  cost: 'Cost',
  latencyP95: 'p95 latency',
  requests: 'Calls',
} as const;

/** Opens an incident by hand. */
export function IncidentForm({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const projectId = useProjectId();
  const [channelIds, setChannelIds] = useState<string[]>([]);
  const open = useChange<Readonly<Record<string, string>>>({
    failed: 'The incident was not opened',
    inForm: true,
    send: ({ title = '', severity = 'warning', measure = '', notes = '' }) =>
      send(createIncidentApi, {
        query: { projectId },
        body: {
          title,
          severity: severity as IncidentInput['severity'],
          notes,
          channelIds,
          ...(measure !== '' && { measure: measure as NonNullable<IncidentInput['measure']> }),
        },
      }),
    stale: [listIncidentsApi],
    done: 'The incident is open',
  });
  const form = useSubmit(async (fields) => {
    await open.mutateAsync(fields);
    onClose();
  });
  return (
    <FormDialog title="Open an incident" form={form} submit="Open" onClose={onClose}>
      <TextInput label="Title" name="title" required maxLength={200} data-autofocus />
      <SeverityField value="warning" />
      <NativeSelect
        label="What went wrong"
        name="measure"
        description="The root cause explains its change"
        data={Object.entries(MEASURES).map(([value, label]) => ({ value, label }))}
      />
      <ChannelChoice
        label="Notify"
        description="Without a choice, the channels that subscribe to incidents"
        chosen={channelIds}
        onChange={setChannelIds}
      />
      <Textarea label="Notes" name="notes" description="Markdown" autosize minRows={3} maxLength={20_000} />
    </FormDialog>
  );
}
