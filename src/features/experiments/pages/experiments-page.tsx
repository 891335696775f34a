import { Button } from '@mantine/core';
import { type JSX, lazy, Suspense, useState } from 'react';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import type { Experiment, Metric } from '../contract.ts';
import { listExperimentsApi } from './experiments-api.ts';
import { metricText } from './metric-text.ts';

const NewExperiment = lazy(async () => ({ default: (await import('./new-experiment.tsx')).NewExperiment }));
const LIVE_MS = 5_000;

/** The experiments of a project: quality beside cost. */
export function ExperimentsPage(): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const { may } = useMember();
  const { search } = useScope('experiments');
  const [isNew, setIsNew] = useState(false);
  const query = { projectId, datasetId: search.dataset };
  const pages = usePages(listExperimentsApi, { query }, { every: LIVE_MS });
  const add = may('member') && <Button onClick={() => setIsNew(true)}>New experiment</Button>;
  return (
    <Page title="Experiments" actions={add} scoped={false}>
      <Paged
        pages={pages}
        rowsOf={({ experiments }) => experiments}
        more="More experiments"
        empty={
          <Notice icon="inspect" title="No experiments yet">
            An experiment runs a prompt or your own program over a dataset, scores the outputs and compares
            them with a baseline, with cost and latency beside quality.
          </Notice>
        }
      >
        {(experiments) => (
          <DataTable
            label="Experiments"
            phone={['name', 'scores', 'cost', 'status']}
            columns={columnsOf(zone)}
            rows={experiments}
            rowKey={({ id }) => id}
          />
        )}
      </Paged>
      {isNew && (
        <Suspense>
          <NewExperiment onClose={() => setIsNew(false)} />
        </Suspense>
      )}
    </Page>
  );
}

const STATUS: Readonly<Record<Experiment['status'], string>> = {
  preparing: 'Preparing',
  running: 'Running',
  open: 'Waits for results',
  paused: 'Paused',
  completed: 'Completed',
  cancelled: 'Cancelled',
};
export const statusText = (status: Experiment['status']): string => STATUS[status];

const metricOf = ({ metrics }: Experiment, kind: Metric['kind']): Metric | undefined =>
  metrics.find((one) => one.kind === kind);

const figure = (kind: 'cost' | 'latency', header: string): Column<Experiment> => ({
  id: kind,
  header,
  align: 'right',
  value: (row) => metricOf(row, kind)?.mean ?? -1,
  cell: (row) => {
    const found = metricOf(row, kind);
    return found === undefined ? '–' : metricText(kind, found.mean);
  },
});

const columnsOf = (zone: Zone): Column<Experiment>[] =>
  withCells([
    {
      id: 'name',
      header: 'Experiment',
      wide: true,
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <ProjectLink
          page="experiments/$experimentId"
          params={{ experimentId: id }}
          className="row-link"
          title={name}
        >
          {name}
        </ProjectLink>
      ),
    },
    {
      id: 'dataset',
      header: 'Dataset',
      value: ({ datasetName }) => datasetName ?? '',
      cell: ({ datasetName, datasetVersion }) => `${datasetName ?? '(deleted)'} v${datasetVersion}`,
    },
    {
      id: 'task',
      header: 'Task',
      value: ({ task }) => task.prompt ?? '',
      cell: ({ task }) =>
        task.kind === 'external' ? 'Own program' : `${task.prompt} v${task.version}, ${task.model}`,
    },
    { id: 'status', header: 'Status', value: ({ status }) => statusText(status) },
    {
      id: 'scores',
      header: 'Scores',
      wraps: true,
      value: ({ metrics }) => metrics.find(({ kind }) => kind === 'score')?.mean ?? -1,
      cell: ({ metrics }) =>
        metrics
          .filter(({ kind }) => kind === 'score')
          .map(({ name, kind, mean }) => `${name} ${metricText(kind, mean)}`)
          .join(', ') || '–',
    },
    figure('cost', 'Cost per run'),
    figure('latency', 'Latency'),
    {
      id: 'at',
      header: 'Created',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => timeText.minute(Date.parse(createdAt), zone),
    },
  ]);
