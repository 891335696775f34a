import { NativeSelect, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type { Incident, IncidentUpdate, listIncidentsEndpoint } from './contract.ts';
import type { IncidentSteps } from './use-incident-steps.ts';

const listIncidentsApi = endpointOf<typeof listIncidentsEndpoint>('GET /v1/incidents');

type Props = {
  readonly incident: Incident;
  readonly steps: IncidentSteps;
  readonly onClose: () => void;
};

/** Changes the title and the severity of an incident. */
export function EditDialog({ incident, steps, onClose }: Props): JSX.Element {
  const form = useSubmit(async ({ title = '', severity = incident.severity }) => {
    await steps.update({ title, severity: severity as NonNullable<IncidentUpdate['severity']> });
    onClose();
  });
  return (
    <FormDialog title={`Edit incident #${incident.number}`} form={form} submit="Save" onClose={onClose}>
      <TextInput
        label="Title"
        name="title"
        defaultValue={incident.title}
        required
        maxLength={200}
        data-autofocus
      />
      <SeverityField value={incident.severity} />
    </FormDialog>
  );
}

/** The severity of an incident, as the field `severity` of a form. */
export const SeverityField = ({ value }: { readonly value: Incident['severity'] }): JSX.Element => (
  <NativeSelect
    label="Severity"
    name="severity"
    defaultValue={value}
    data={[
      { value: 'warning', label: 'Warning' },
      { value: 'critical', label: 'Critical' },
    ]}
  />
);

/** Merges an incident into another one that is not resolved. */
export function MergeDialog({ incident, steps, onClose }: Props): JSX.Element {
  const projectId = useProjectId();
  const others = useApi(listIncidentsApi, { query: { projectId, status: 'unresolved', limit: 200 } });
  const form = useSubmit(async ({ into = '' }) => {
    await steps.merge(into);
    onClose();
  });
  return (
    <FormDialog title={`Merge incident #${incident.number}`} form={form} submit="Merge" onClose={onClose}>
      <p className="dim">
        The other incident takes over the alerts of this one, which is resolved and links to it.
      </p>
      <Loaded of={others} loading={<LoadingRows rows={1} />}>
        {({ incidents }) => {
          const choices = incidents.filter(({ id }) => id !== incident.id);
          if (choices.length === 0) return <p>There is no other incident that is not resolved.</p>;
          return (
            <NativeSelect
              label="Into"
              name="into"
              data={choices.map(({ id, number, title }) => ({ value: id, label: `#${number} ${title}` }))}
            />
          );
        }}
      </Loaded>
    </FormDialog>
  );
}
