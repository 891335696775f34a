import { Button, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { refresh, send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { SimulationDetail } from '../contract.ts';
import type { SimulationRun } from '../runs/contract.ts';
import { passRateOf, shareText, statusText } from './run-text.ts';
import {
  deleteSuiteApi,
  listApi,
  listRunsApi,
  RUN_CHANGED,
  replaceApi,
  SUITE_CHANGED,
  secretApi,
  startApi,
  suiteApi,
} from './simulations-api.ts';
import { TryTarget } from './try-target.tsx';

const LIVE_MS = 3_000;

/** A suite: its runs, its text and its secrets. */
export function SuitePage(): JSX.Element {
  const { simulationId: id = '' } = useParams({ strict: false });
  const projectId = useProjectId();
  const suite = useApi(suiteApi, { params: { id }, query: { projectId } });
  return (
    <Page
      title={suite.data?.name ?? 'Suite'}
      back={<ProjectLink page="simulations">Simulations</ProjectLink>}
      actions={suite.data && <Actions suite={suite.data} />}
      scoped={false}
    >
      <Loaded of={suite} loading={<LoadingRows rows={12} />}>
        {(data) => (
          <div className="stack">
            {data.description !== null && <p>{data.description}</p>}
            <Runs id={id} />
            <Source key={data.version} suite={data} />
            <TryTarget suite={data} />
            <Secrets suite={data} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ suite: { id, name } }: { readonly suite: SimulationDetail }): JSX.Element | false {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { may } = useMember();
  const of = { params: { id }, query: { projectId } };
  const start = useChange({
    failed: 'The suite was not run',
    send: async () => {
      const run = await send(startApi, { ...of, body: {} });
      await navigate({ to: pagePath(projectId, 'simulations/runs/$runId', { runId: run.id }) });
    },
    stale: RUN_CHANGED,
  });
  const remove = useChange({
    failed: 'The suite was not deleted',
    send: async () => {
      await send(deleteSuiteApi, of);
      await navigate({ to: pagePath(projectId, 'simulations') });
    },
    stale: [listApi],
  });
  if (!may('member')) return false;
  return (
    <>
      <Button size="xs" loading={start.isPending} onClick={() => start.mutate()}>
        Run
      </Button>
      <Confirm
        label="Delete"
        size="xs"
        title={`Delete ${name}?`}
        confirm="Delete suite"
        onConfirm={() => remove.mutate()}
      >
        Its versions, runs and transcripts are deleted. Calls of models stay in the books.
      </Confirm>
    </>
  );
}

function Runs({ id }: { readonly id: string }): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const pages = usePages(listRunsApi, { params: { id }, query: { projectId } }, { every: LIVE_MS });
  return (
    <Panel title="Runs" flush>
      <Paged
        pages={pages}
        rowsOf={({ runs }) => runs}
        more="More runs"
        empty={<Notice title="No runs yet">Run starts one; each is compared with the last.</Notice>}
      >
        {(runs) => (
          <DataTable
            label="Runs"
            phone={['at', 'rate']}
            columns={columnsOf(zone)}
            rows={runs}
            rowKey={(run) => run.id}
          />
        )}
      </Paged>
    </Panel>
  );
}

const columnsOf = (zone: Zone): Column<SimulationRun>[] =>
  withCells([
    {
      id: 'at',
      header: 'Started',
      value: ({ createdAt }) => createdAt,
      cell: ({ id, createdAt }) => (
        <ProjectLink page="simulations/runs/$runId" params={{ runId: id }} className="row-link">
          {timeText.minute(Date.parse(createdAt), zone)}
        </ProjectLink>
      ),
    },
    { id: 'version', header: 'Version', align: 'right', value: ({ version }) => version },
    { id: 'status', header: 'Status', value: ({ status }) => statusText(status) },
    { id: 'planned', header: 'Conversations', align: 'right', value: ({ planned }) => planned },
    {
      id: 'rate',
      header: 'Pass rate (95% interval)',
      align: 'right',
      value: (run) => passRateOf(run)?.mean ?? -1,
      cell: (run) => shareText(passRateOf(run)),
    },
    { id: 'by', header: 'By', value: ({ createdBy }) => createdBy ?? '–' },
  ]);

function Source({ suite: { id, source, version } }: { readonly suite: SimulationDetail }): JSX.Element {
  const projectId = useProjectId();
  const { may } = useMember();
  const [text, setText] = useState(source);
  const form = useSubmit(async () => {
    const body = { source: text, message: '' };
    await send(replaceApi, { params: { id }, query: { projectId }, body });
    await refresh(...SUITE_CHANGED);
  });
  return (
    <Panel title={`Scenarios, version ${version}`}>
      <form onSubmit={form.onSubmit} className="form">
        <Textarea
          aria-label="Suite as YAML or JSON"
          rows={18}
          value={text}
          readOnly={!may('member')}
          styles={{ input: { fontFamily: 'monospace' } }}
          spellCheck={false}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <p role="alert" className="form-error">
          {form.failure}
        </p>
        {may('member') && (
          <div>
            <Button type="submit" size="xs" loading={form.busy} disabled={text === source}>
              Save version
            </Button>
          </div>
        )}
      </form>
    </Panel>
  );
}

function Secrets({ suite: { id, secrets } }: { readonly suite: SimulationDetail }): JSX.Element | false {
  const projectId = useProjectId();
  const { may } = useMember();
  const form = useSubmit(
    async ({ name = '', value = '' }) => {
      await send(secretApi, { params: { id, name }, query: { projectId }, body: { value: value || null } });
      await refresh(...SUITE_CHANGED);
    },
    { clears: true },
  );
  if (!may('admin')) return false;
  return (
    <Panel title="Secrets of headers">
      <p>
        {secrets.length === 0
          ? 'None. A header names a secret in braces after a dollar sign; its value is sent to the address of the target only.'
          : secrets.map(({ name, origin }) => `${name} for ${origin}`).join(', ')}
      </p>
      <form onSubmit={form.onSubmit} className="form">
        <TextInput label="Name" name="name" required placeholder="AGENT_KEY" autoComplete="off" />
        <PasswordInput label="Value" description="Empty removes it" name="value" autoComplete="off" />
        <p role="alert" className="form-error">
          {form.failure}
        </p>
        <div>
          <Button type="submit" size="xs" variant="default" loading={form.busy}>
            Save secret
          </Button>
        </div>
      </form>
    </Panel>
  );
}
