import { Group, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type { createDeploymentEndpoint, listDeploymentsEndpoint } from './contract.ts';

const listDeploymentsApi = endpointOf<typeof listDeploymentsEndpoint>('GET /v1/deployments');
const createDeploymentApi = endpointOf<typeof createDeploymentEndpoint>('POST /v1/deployments');

type Fields = Readonly<Record<string, string>>;

/** Reports a deployment by hand. */
export function DeploymentForm({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const projectId = useProjectId();
  const report = useChange<Fields>({
    failed: 'The deployment was not reported',
    inForm: true,
    send: (fields) => send(createDeploymentApi, { query: { projectId }, body: bodyOf(fields) }),
    stale: [listDeploymentsApi],
    done: 'The deployment is reported',
  });
  const form = useSubmit(async (fields) => {
    await report.mutateAsync(fields);
    onClose();
  });
  return (
    <FormDialog title="Report a deployment" form={form} submit="Report" onClose={onClose}>
      <Group grow gap="sm" align="start">
        <TextInput
          label="Release"
          name="release"
          placeholder="2.4.1"
          required
          maxLength={200}
          data-autofocus
        />
        <TextInput
          label="Environment"
          name="environment"
          defaultValue="production"
          required
          maxLength={200}
        />
      </Group>
      <TextInput label="What changed" name="title" maxLength={300} />
      <Group grow gap="sm" align="start">
        <TextInput label="Time" name="at" type="datetime-local" description="In UTC. Default: now" />
        <TextInput label="Commit" name="commit" maxLength={200} description="Such as a Git hash" />
      </Group>
      <TextInput label="Link" name="url" type="url" maxLength={2_000} placeholder="https://…" />
    </FormDialog>
  );
}

const bodyOf = ({ release = '', environment = '', at = '', commit = '', url = '', title = '' }: Fields) => ({
  release,
  environment,
  ...(at !== '' && { at: `${at}Z` }),
  ...(commit !== '' && { commit }),
  ...(url !== '' && { url }),
  ...(title !== '' && { title }),
});
