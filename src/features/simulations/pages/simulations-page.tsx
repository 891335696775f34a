import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { refresh, send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import { numberText } from '../../../lib/figures.ts';
import type { Simulation } from '../contract.ts';
import { passRateOf, shareText, statusText } from './run-text.ts';
import { createApi, listApi, readyApi, SUITE_CHANGED } from './simulations-api.ts';

const LIVE_MS = 5_000;

/** The suites of a project with the pass rates of their last runs. */
export function SimulationsPage(): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const { may } = useMember();
  const [isNew, setIsNew] = useState(false);
  const suites = useApi(listApi, { query: { projectId } }, { every: LIVE_MS });
  const add = may('member') && <Button onClick={() => setIsNew(true)}>New suite</Button>;
  return (
    <Page title="Simulations" actions={add} scoped={false}>
      <Loaded of={suites} loading={<LoadingRows rows={6} />}>
        {({ simulations }) =>
          simulations.length === 0 ? (
            <Panel flush>
              <Notice icon="simulations" title="No suites yet">
                A suite talks to your agent before users do: scripted and attacking users, checks after each
                answer, repetitions, and the difference to the last run. <b>New suite</b> starts from a ready
                one.
              </Notice>
            </Panel>
          ) : (
            <Panel flush>
              <DataTable
                label="Suites"
                phone={['name', 'rate']}
                columns={columnsOf(zone)}
                rows={simulations}
                rowKey={({ id }) => id}
              />
            </Panel>
          )
        }
      </Loaded>
      {isNew && <NewSuite onClose={() => setIsNew(false)} />}
    </Page>
  );
}

const columnsOf = (zone: Zone): Column<Simulation>[] =>
  withCells([
    {
      id: 'name',
      header: 'Suite',
      wide: true,
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <ProjectLink
          page="simulations/$simulationId"
          params={{ simulationId: id }}
          className="row-link"
          title={name}
        >
          {name}
        </ProjectLink>
      ),
    },
    { id: 'scenarios', header: 'Scenarios', align: 'right', value: ({ scenarios }) => scenarios },
    {
      id: 'conversations',
      header: 'Conversations',
      align: 'right',
      value: ({ conversations }) => conversations,
      cell: ({ conversations }) => numberText(conversations),
    },
    {
      id: 'status',
      header: 'Last run',
      value: ({ lastRun }) => lastRun?.status ?? '',
      cell: ({ lastRun }) =>
        lastRun === null ? (
          'Never'
        ) : (
          <ProjectLink page="simulations/runs/$runId" params={{ runId: lastRun.id }}>
            {statusText(lastRun.status)}
          </ProjectLink>
        ),
    },
    {
      id: 'rate',
      header: 'Pass rate (95% interval)',
      align: 'right',
      value: ({ lastRun }) => (lastRun === null ? -1 : (passRateOf(lastRun)?.mean ?? -1)),
      cell: ({ lastRun }) => shareText(lastRun === null ? null : passRateOf(lastRun)),
    },
    {
      id: 'at',
      header: 'Changed',
      value: ({ updatedAt }) => updatedAt,
      cell: ({ updatedAt }) => timeText.minute(Date.parse(updatedAt), zone),
    },
  ]);

/** A suite from one that is ready, or from nothing. */
function NewSuite({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const query = { projectId };
  const ready = useApi(readyApi, { query }).data?.suites ?? [];
  const [source, setSource] = useState<string | null>(null);
  const form = useSubmit(async () => {
    const body = { source: shown, message: '' };
    const { id } = await send(createApi, { query, body });
    await refresh(...SUITE_CHANGED);
    await navigate({ to: pagePath(projectId, 'simulations/$simulationId', { simulationId: id }) });
  });
  const shown = source ?? ready[0]?.source ?? '';
  return (
    <FormDialog title="New suite" form={form} submit="Create suite" onClose={onClose}>
      <NativeSelect
        label="Start from"
        data={ready.map(({ name }) => name)}
        onChange={({ currentTarget: { value } }) =>
          setSource(ready.find(({ name }) => name === value)?.source ?? '')
        }
      />
      <Textarea
        label="Suite"
        description="YAML or JSON"
        required
        rows={16}
        value={shown}
        styles={{ input: { fontFamily: 'monospace' } }}
        spellCheck={false}
        onChange={({ currentTarget: { value } }) => setSource(value)}
      />
    </FormDialog>
  );
}
