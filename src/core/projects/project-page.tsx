import { Button, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { refresh, send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { meApi, useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import type {
  changeProjectEndpoint,
  changeSdkConfigEndpoint,
  deleteProjectEndpoint,
  getProjectEndpoint,
  ProjectReply,
  projectSdkConfigEndpoint,
  SdkConfig,
} from './contract.ts';

const projectApi = endpointOf<typeof getProjectEndpoint>('GET /v1/projects/:id');
const changeProjectApi = endpointOf<typeof changeProjectEndpoint>('PUT /v1/projects/:id');
const deleteProjectApi = endpointOf<typeof deleteProjectEndpoint>('DELETE /v1/projects/:id');
const projectSdkConfigApi = endpointOf<typeof projectSdkConfigEndpoint>('GET /v1/projects/:id/sdk-config');

const changeSdkConfigApi = endpointOf<typeof changeSdkConfigEndpoint>('PUT /v1/projects/:id/sdk-config');

/** Name, retention and SDK settings of a project, and its deletion. */
export function ProjectPage(): JSX.Element {
  const id = useProjectId();
  const project = useApi(projectApi, { params: { id } });
  const config = useApi(projectSdkConfigApi, { params: { id } });
  const { may } = useMember();
  const editable = may('admin');
  return (
    <Page title="Project" scoped={false}>
      <div className="steps">
        {!editable && <p className="dim">Only admins can change these settings.</p>}
        <Panel title="General">
          <Loaded of={project} loading={<LoadingRows rows={3} />}>
            {(data) => <General key={JSON.stringify(data)} project={data} editable={editable} />}
          </Loaded>
        </Panel>
        <Panel title="SDK settings" detail={config.data && `version ${config.data.version}`}>
          <Loaded of={config} loading={<LoadingRows rows={4} />}>
            {(data) => <SdkSettings key={data.version} config={data} editable={editable} />}
          </Loaded>
        </Panel>
        {editable && project.data !== undefined && <Deletion project={project.data} />}
      </div>
    </Page>
  );
}

type Editing = { readonly editable: boolean };

function General({ project, editable }: Editing & { project: ProjectReply }): JSX.Element {
  const [name, setName] = useState(project.name);
  const [days, setDays] = useState<number | string>(project.retentionDays ?? '');
  const save = useChange({
    failed: 'The project was not saved',
    send: () =>
      send(changeProjectApi, {
        params: { id: project.id },
        body: { name, retentionDays: days === '' ? null : Number(days) },
      }),
    stale: [projectApi, meApi],
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
        label="Retention (days)"
        description={`Leave empty to use the plan's retention. Events are now kept for ${project.keptDays} days; totals and trends stay.`}
        value={days}
        onChange={setDays}
        min={1}
        max={36_500}
        allowDecimal={false}
        disabled={!editable}
      />
      <TextInput label="Project id" value={project.id} readOnly classNames={{ input: 'mono' }} />
      {editable && (
        <Button type="submit" loading={save.isPending} className="own-width">
          Save
        </Button>
      )}
    </form>
  );
}

function SdkSettings({ config, editable }: Editing & { config: SdkConfig }): JSX.Element {
  const id = useProjectId();
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
      return send(changeSdkConfigApi, {
        params: { id },
        body: { version: config.version, sampleRate, redactKeys, storePrompts: prompts },
      });
    },
    stale: [projectSdkConfigApi],
    done: 'Saved. SDKs apply it after their next batch.',
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
        label="Sample rate"
        description="Share of events that SDKs send."
        value={percent}
        onChange={setPercent}
        min={0}
        max={100}
        suffix=" %"
        disabled={!editable}
      />
      <Textarea
        label="Redacted keys"
        description="One per line. SDKs redact their values in tags and metadata at any depth; password, token, api_key and similar keys are always redacted."
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
        description={
          prompts
            ? 'Their text is stored with each event.'
            : 'Their text is dropped before events are stored.'
        }
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

function Deletion({ project }: { project: ProjectReply }): JSX.Element {
  const navigate = useNavigate();
  const remove = useChange({
    failed: 'The project was not deleted',
    send: async () => {
      await send(deleteProjectApi, { params: { id: project.id } });
      // The first page is chosen by what is known of the projects.
      await refresh(meApi);
      await navigate({ to: '/', replace: true });
    },
    stale: [],
    done: `${project.name} is deleted`,
  });
  return (
    <Panel title="Delete project">
      <div className="form">
        <p className="dim">
          Its keys stop working at once; its events are deleted within 24 hours. You cannot undo this.
        </p>
        <span>
          <Confirm
            label="Delete project"
            title={`Delete ${project.name}?`}
            confirm={`Delete ${project.name}`}
            word={project.name}
            onConfirm={() => remove.mutate()}
          >
            This deletes all its events, totals and keys. What it spent is no longer in the organization’s
            budgets and open statements.
          </Confirm>
        </span>
      </div>
    </Panel>
  );
}
