import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { refresh, send, useApi } from '../../dashboard/shell/api.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink, pagePath } from '../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import { createDashboardApi, listDashboardsApi } from './apis.tsx';
import type { DashboardBody, ListedDashboard } from './contract.ts';
import { TEMPLATES } from './templates.tsx';

/** The dashboards that somebody sees. */
export function DashboardsPage(): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const { may } = useMember();
  const [isNew, setIsNew] = useState(false);
  const dashboards = useApi(listDashboardsApi, { query: { projectId } });
  const create = may('member') && <Button onClick={() => setIsNew(true)}>New dashboard</Button>;
  return (
    <Page title="Dashboards" scoped={false} actions={create}>
      <Panel flush>
        <Loaded of={dashboards} loading={<LoadingRows rows={4} />}>
          {(data) =>
            data.dashboards.length === 0 ? (
              <Notice icon="dashboards" title="No dashboards yet" action={create}>
                A dashboard is a grid of charts, numbers and tables of your choice, for you or for the whole
                project.
              </Notice>
            ) : (
              <DataTable
                label="Dashboards"
                columns={columnsOf(zone)}
                rows={data.dashboards}
                rowKey={({ id }) => id}
                sort={{ id: 'name', desc: false }}
              />
            )
          }
        </Loaded>
      </Panel>
      {isNew && <NewDashboard projectId={projectId} onClose={() => setIsNew(false)} />}
    </Page>
  );
}

const columnsOf = (zone: Zone): Column<ListedDashboard>[] => [
  {
    id: 'name',
    header: 'Name',
    wide: true,
    value: ({ name }) => name.toLowerCase(),
    cell: ({ id, name }) => (
      <ProjectLink page="dashboards/$dashboardId" params={{ dashboardId: id }} className="row-link">
        {name}
      </ProjectLink>
    ),
  },
  { id: 'seen', header: 'Visible to', cell: ({ shared }) => (shared ? 'Everybody' : 'You') },
  { id: 'author', header: 'Author', cell: ({ author }) => author ?? <span className="dim">–</span> },
  {
    id: 'tiles',
    header: 'Tiles',
    align: 'right',
    value: ({ tileCount }) => tileCount,
    cell: ({ tileCount }) => tileCount,
  },
  {
    id: 'changed',
    header: 'Changed',
    value: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => timeText.minute(updatedAt, zone),
  },
];

/** Empty, from a template, or from a file of an export. */
function NewDashboard({ projectId, onClose }: { projectId: string; onClose: () => void }): JSX.Element {
  const navigate = useNavigate();
  const [template, setTemplate] = useState('releases');
  const [file, setFile] = useState<string | null>(null);
  const form = useSubmit(async ({ name = '', shared }) => {
    const chosen = TEMPLATES[template];
    const imported = file === null ? null : parseFile(file);
    const body = {
      name: name.trim() === '' ? (imported?.name ?? chosen?.label ?? '') : name,
      shared: shared === 'on',
      tiles: imported?.tiles ?? [...(chosen?.tiles ?? [])],
    };
    const { id } = await send(createDashboardApi, { query: { projectId }, body });
    await refresh(listDashboardsApi);
    await navigate({ to: pagePath(projectId, 'dashboards/$dashboardId', { dashboardId: id }) });
  });
  return (
    <FormDialog title="New dashboard" form={form} submit="Create" onClose={onClose} size="sm">
      <NativeSelect
        label="Begin with"
        value={file === null ? template : 'file'}
        onChange={({ currentTarget: { value } }) => {
          setFile(null);
          setTemplate(value);
        }}
        data={[
          ...Object.entries(TEMPLATES).map(([value, { label }]) => ({ value, label })),
          ...(file === null ? [] : [{ value: 'file', label: 'The chosen file' }]),
        ]}
      />
      <TextInput
        label="Name"
        name="name"
        maxLength={80}
        placeholder={file === null ? TEMPLATES[template]?.label : 'As in the file'}
        data-autofocus
      />
      <label className="dim">
        Or import a JSON file:{' '}
        <input
          type="file"
          accept="application/json,.json"
          onChange={async ({ currentTarget: { files } }) => setFile((await files?.[0]?.text()) ?? null)}
        />
      </label>
      <Checkbox name="shared" label="Everybody in the project sees it" defaultChecked />
    </FormDialog>
  );
}

function parseFile(text: string): DashboardBody {
  try {
    return JSON.parse(text) as DashboardBody;
  } catch {
    throw new Error('The file is not JSON; choose one that Export wrote');
  }
}
