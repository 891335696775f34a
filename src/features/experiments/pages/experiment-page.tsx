import { Button, NativeSelect } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { countText, moneyText, numberText } from '../../../lib/figures.ts';
import type { ExperimentDetail } from '../contract.ts';
import {
  CHANGED,
  cancelApi,
  deleteApi,
  experimentApi,
  isRunning,
  LIVE_MS,
  listExperimentsApi,
  resumeApi,
} from './experiments-api.ts';
import { statusText } from './experiments-page.tsx';
import { MetricTable } from './metric-table.tsx';
import { QualityCost } from './quality-cost.tsx';
import { RunTable } from './run-table.tsx';

const MOST = 100;

/** An experiment: its means beside those of a baseline, and its results item by item. */
export function ExperimentPage(): JSX.Element {
  const { experimentId: id = '' } = useParams({ strict: false });
  const projectId = useProjectId();
  const { search } = useScope('experiments/$experimentId');
  const asked = { params: { id }, query: { projectId, baselineId: search.baseline } };
  const experiment = useApi(experimentApi, asked, { every: LIVE_MS });
  return (
    <Page
      title={experiment.data?.name ?? 'Experiment'}
      back={<ProjectLink page="experiments">Experiments</ProjectLink>}
      actions={experiment.data && <Actions experiment={experiment.data} />}
      scoped={false}
    >
      <Loaded of={experiment} loading={<LoadingRows rows={12} />}>
        {(data) => <Body experiment={data} />}
      </Loaded>
    </Page>
  );
}

function Body({ experiment }: { readonly experiment: ExperimentDetail }): JSX.Element {
  const {
    id,
    datasetId,
    datasetName,
    datasetVersion,
    task,
    runs,
    planned,
    costUsd,
    unpriced,
    failedScores,
    error,
  } = experiment;
  const projectId = useProjectId();
  const setSearch = useSetSearch<'experiments/$experimentId'>();
  const query = { projectId, datasetId, limit: MOST };
  const others = useApi(listExperimentsApi, { query }).data?.experiments ?? [];
  const { comparison } = experiment;
  return (
    <div className="stack">
      <p>
        {statusText(experiment.status)}: {numberText(runs.done + runs.failed)} of {numberText(planned)} runs
        {runs.failed > 0 && `, ${numberText(runs.failed)} failed`}, {moneyText(costUsd)}
        {unpriced > 0 && ` and ${countText(unpriced, 'call')} without a known price`}
        {failedScores > 0 && `, ${countText(failedScores, 'score')} could not be given`}.{' '}
        {task.kind === 'prompt' ? `${task.prompt} v${task.version} with ${task.model}` : 'Own program'} on{' '}
        {datasetName === null ? (
          'a deleted dataset'
        ) : (
          <ProjectLink
            page="datasets/$datasetId"
            params={{ datasetId }}
            search={{ version: String(datasetVersion) }}
          >
            {datasetName} v{datasetVersion}
          </ProjectLink>
        )}
        .
      </p>
      {error !== null && <p role="alert">{error}</p>}
      <NativeSelect
        size="xs"
        label="Compare with"
        value={comparison?.id ?? ''}
        data={[
          { value: '', label: 'Nothing' },
          ...others.filter((one) => one.id !== id).map((one) => ({ value: one.id, label: one.name })),
        ]}
        onChange={({ currentTarget: { value } }) => setSearch({ baseline: value || undefined })}
      />
      {comparison !== null && !comparison.isSameDataset && (
        <p role="alert">
          {comparison.name} ran on another version of the dataset; items with the same id are compared.
        </p>
      )}
      <Panel title="Figures" flush>
        <MetricTable experiment={experiment} />
      </Panel>
      <QualityCost id={id} experiments={[experiment, ...others.filter((one) => one.id !== id)]} />
      <RunTable experiment={experiment} />
    </div>
  );
}

function Actions({ experiment }: { readonly experiment: ExperimentDetail }): JSX.Element | false {
  const { id, name, status, task, runs, failedScores } = experiment;
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { may } = useMember();
  const of = { params: { id }, query: { projectId } };
  const cancel = useChange({
    failed: 'The experiment was not cancelled',
    send: () => send(cancelApi, of),
    stale: CHANGED,
  });
  const resume = useChange<boolean>({
    failed: 'The experiment was not resumed',
    send: (retryFailed) => send(resumeApi, { ...of, body: { retryFailed } }),
    stale: CHANGED,
  });
  const remove = useChange({
    failed: 'The experiment was not deleted',
    send: async () => {
      await send(deleteApi, of);
      await navigate({ to: pagePath(projectId, 'experiments') });
    },
    stale: [listExperimentsApi],
  });
  if (!may('member')) return false;
  const isActive = isRunning(experiment);
  // What a program reported as failed, it runs again itself.
  const hasFailed = failedScores > 0 || (runs.failed > 0 && task.kind === 'prompt');
  return (
    <>
      {isActive && (
        <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      {(status === 'paused' || status === 'cancelled') && (
        <Button size="xs" loading={resume.isPending} onClick={() => resume.mutate(false)}>
          Resume
        </Button>
      )}
      {!isActive && hasFailed && (
        <Button size="xs" variant="default" loading={resume.isPending} onClick={() => resume.mutate(true)}>
          Run failed again
        </Button>
      )}
      <Confirm
        label="Delete"
        size="xs"
        title={`Delete ${name}?`}
        confirm="Delete experiment"
        onConfirm={() => remove.mutate()}
      >
        Its results are deleted. Its calls stay in the books.
      </Confirm>
    </>
  );
}
