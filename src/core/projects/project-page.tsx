import { Button, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { call, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import type { getProjectEndpoint, ProjectReply, projectSdkConfigEndpoint, SdkConfig } from './contract.ts';

const projectApi = endpointOf<typeof getProjectEndpoint>('GET /v1/projects/:id');
const projectSdkConfigApi = endpointOf<typeof projectSdkConfigEndpoint>('GET /v1/projects/:id/sdk-config');

/** What a project is called, how long it keeps events, and what it tells its clients. */
export function ProjectPage(): JSX.Element {
  const path = `/v1/projects/${encodeURIComponent(useProjectId())}`;
  const project = useApi(projectApi, { params: { id: useProjectId() } });
  const config = useApi(projectSdkConfigApi, { params: { id: useProjectId() } });
  const { may } = useMember();
  const editable = may('admin');
  return (
    <Page title="Project" scoped={false}>
      <div className="steps">
        {!editable && <p className="dim">An admin of the organization can change what is here.</p>}
        <Panel title="General">
          <Loaded of={project} loading={<LoadingRows rows={3} />}>
            {(data) => <General key={JSON.stringify(data)} project={data} path={path} editable={editable} />}
          </Loaded>
        </Panel>
        <Panel title="What clients are told" detail={config.data && `version ${config.data.version}`}>
          <Loaded of={config} loading={<LoadingRows rows={4} />}>
            {(data) => (
              <Clients key={data.version} config={data} path={`${path}/sdk-config`} editable={editable} />
            )}
          </Loaded>
        </Panel>
        {editable && project.data !== undefined && <Deletion project={project.data} path={path} />}
      </div>
    </Page>
  );
}

type Editing = { readonly path: string; readonly editable: boolean };

function General({ project, path, editable }: Editing & { project: ProjectReply }): JSX.Element {
  const [name, setName] = useState(project.name);
  const [days, setDays] = useState<number | string>(project.retentionDays ?? '');
  const save = useChange({
    failed: 'The project was not saved',
    send: () =>
      call(path, { method: 'PUT', body: { name, retentionDays: days === '' ? null : Number(days) } }),
    stale: [path, '/v1/auth/me'],
    done: 'Saved',
  });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={200}
        disabled={!editable}
      />
      <NumberInput
        label="Keep events for, in days"
        description={`Empty: as long as the plan does. Now they are kept for ${project.keptDays} days; sums and trends stay.`}
        value={days}
        onChange={setDays}
        min={1}
        max={36_500}
        allowDecimal={false}
        disabled={!editable}
      />
      <TextInput label="Id" value={project.id} readOnly classNames={{ input: 'mono' }} />
      {editable && (
        <Button type="submit" loading={save.isPending} className="own-width">
          Save
        </Button>
      )}
    </form>
  );
}

function Clients({ config, path, editable }: Editing & { config: SdkConfig }): JSX.Element {
  const [percent, setPercent] = useState<number | string>(config.sampleRate * 100);
  const [keys, setKeys] = useState(config.redactKeys.join('\n'));
  const [prompts, setPrompts] = useState(config.storePrompts);
  const save = useChange({
    failed: 'The settings were not saved',
    send: () => {
      const redactKeys = keys
        .split(/[\n,]/)
        .map((key) => key.trim())
        .filter((key) => key !== '');
      const sampleRate = Number(percent) / 100;
      return call(path, {
        method: 'PUT',
        body: { version: config.version, sampleRate, redactKeys, storePrompts: prompts },
      });
    },
    stale: [path],
    done: 'Saved; clients get it with their next batch',
  });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <NumberInput
        label="Events that are sent, in percent"
        value={percent}
        onChange={setPercent}
        min={0}
        max={100}
        suffix=" %"
        disabled={!editable}
      />
      <Textarea
        label="Keys whose values are withheld"
        description="One a line, besides password, token, api_key and the like. In tags and metadata, at any depth."
        value={keys}
        onChange={(event) => setKeys(event.currentTarget.value)}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        disabled={!editable}
      />
      <Switch
        label="Store prompts and completions"
        description="Off: they are dropped before they reach the disk."
        checked={prompts}
        onChange={(event) => setPrompts(event.currentTarget.checked)}
        disabled={!editable}
      />
      {editable && (
        <Button type="submit" loading={save.isPending} className="own-width">
          Save
        </Button>
      )}
    </form>
  );
}

function Deletion({ project, path }: { project: ProjectReply; path: string }): JSX.Element {
  const navigate = useNavigate();
  const remove = useChange({
    failed: 'The project was not deleted',
    send: async () => {
      await call(path, { method: 'DELETE' });
      await navigate({ to: '/' });
    },
    stale: ['/v1/auth/me'],
    done: `${project.name} is deleted`,
  });
  return (
    <Panel title="Delete the project">
      <div className="form">
        <p className="dim">
          Its keys stop working at once, its events are gone within 24 hours. There is no way back.
        </p>
        <span>
          <Confirm
            label="Delete the project"
            title={`Delete ${project.name}?`}
            confirm={`Delete ${project.name}`}
            onConfirm={() => remove.mutate()}
          >
            All its events, sums and keys go with it.
          </Confirm>
        </span>
      </div>
    </Panel>
  );
}
