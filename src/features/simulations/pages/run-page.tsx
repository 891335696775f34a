import { Button, Progress } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink, pagePath } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { durationText, moneyText, numberText, percentText } from '../../../lib/figures.ts';
import type { ScenarioResult, SimulationRunDetail } from '../runs/contract.ts';
import { Conversations } from './conversations.tsx';
import { shareText, statusText } from './run-text.ts';
import { cancelApi, deleteRunApi, listApi, RUN_CHANGED, resumeApi, runApi } from './simulations-api.ts';

const LIVE_MS = 1_000;

/** A run: its progress, its scenarios beside those of the last run, and its conversations. */
export function RunPage(): JSX.Element {
  const { runId: run = '' } = useParams({ strict: false });
  const projectId = useProjectId();
  const found = useApi(runApi, { params: { run }, query: { projectId } }, { every: LIVE_MS });
  const { data } = found;
  const back = data && (
    <ProjectLink page="simulations/$simulationId" params={{ simulationId: data.simulationId }}>
      {data.simulationName}
    </ProjectLink>
  );
  return (
    <Page title="Run" back={back} actions={data && <Actions run={data} />} scoped={false}>
      <Loaded of={found} loading={<LoadingRows rows={12} />}>
        {(shown) => <Body run={shown} />}
      </Loaded>
    </Page>
  );
}

function Body({ run }: { readonly run: SimulationRunDetail }): JSX.Element {
  const { counts, planned, passRate, costUsd, unknownCosts, comparison, error, status, seed, version } = run;
  const done = counts.passed + counts.failed + counts.lost;
  const before = comparison?.metrics.find(({ name }) => name === 'passRate');
  return (
    <div className="stack">
      <p>
        {statusText(status)}: {numberText(done)} of {numberText(planned)} conversations,{' '}
        {numberText(counts.failed)} failed
        {counts.lost > 0 && `, ${numberText(counts.lost)} lost`}
        {counts.running > 0 && `, ${numberText(counts.running)} running`}. Pass rate {shareText(passRate)}
        {before?.baseline != null &&
          `, ${percentText(before.baseline)} in the last run over the same scenarios (${VERDICTS[before.verdict]})`}
        . {moneyText(costUsd)}
        {unknownCosts > 0 && ` and ${numberText(unknownCosts)} answers without a known cost`}. Version{' '}
        {version}, seed {seed}.
      </p>
      <Progress
        aria-label="Conversations that have ended"
        value={planned === 0 ? 0 : (100 * done) / planned}
        animated={status === 'running'}
      />
      {error !== null && <p role="alert">{error}</p>}
      <Panel title="Scenarios" flush>
        <DataTable
          label="Scenarios"
          phone={['scenario', 'passed', 'change']}
          columns={columnsOf(comparison !== null)}
          rows={run.scenarios}
          rowKey={({ scenario }) => scenario}
        />
      </Panel>
      <Conversations run={run} />
    </div>
  );
}

const VERDICTS = {
  better: 'better',
  worse: 'worse',
  different: 'different',
  unclear: 'the difference may be chance',
} as const;

/** What became of a scenario since the last run, and how it is marked. */
const CHANGES = {
  new: { label: 'New', tone: '' },
  fixed: { label: 'Fixed', tone: 'good' },
  broken: { label: 'Broken', tone: 'bad' },
  better: { label: 'Better', tone: 'good' },
  worse: { label: 'Worse', tone: 'bad' },
  same: { label: 'Same', tone: null },
} as const;

const Change = ({ change }: Pick<ScenarioResult, 'change'>): JSX.Element => {
  const { label, tone } = change === null ? { label: '–', tone: null } : CHANGES[change];
  return <span className={tone === null ? 'dim' : `badge ${tone}`}>{label}</span>;
};

const columnsOf = (isCompared: boolean): Column<ScenarioResult>[] =>
  withCells([
    { id: 'scenario', header: 'Scenario', wraps: true, value: ({ scenario }) => scenario },
    {
      id: 'passed',
      header: 'Passed',
      align: 'right',
      value: ({ passed, failed }) => `${passed} of ${passed + failed}`,
    },
    {
      id: 'rate',
      header: 'Pass rate (95% interval)',
      align: 'right',
      value: ({ passRate }) => passRate?.mean ?? -1,
      cell: ({ passRate }) => shareText(passRate),
    },
    { id: 'flaky', header: 'Flaky', value: ({ isFlaky }) => (isFlaky ? 'Flaky' : '–') },
    ...(isCompared
      ? [
          {
            id: 'change',
            header: 'Since the last run',
            value: ({ change }: ScenarioResult) => (change === null ? '–' : CHANGES[change].label),
            cell: ({ change }: ScenarioResult) => <Change change={change} />,
          } as const,
        ]
      : []),
    {
      id: 'latency',
      header: 'Latency',
      align: 'right',
      value: ({ latencyMs }) => latencyMs ?? -1,
      cell: ({ latencyMs }) => (latencyMs === null ? '–' : durationText(latencyMs)),
    },
    {
      id: 'cost',
      header: 'Cost',
      align: 'right',
      value: ({ costUsd }) => costUsd,
      cell: ({ costUsd }) => moneyText(costUsd),
    },
    {
      id: 'failure',
      header: 'First failure',
      wraps: true,
      value: ({ failure }) => failure ?? '–',
      cell: ({ failure }) => <span className="any-break">{failure ?? '–'}</span>,
    },
  ]);

function Actions({ run }: { readonly run: SimulationRunDetail }): JSX.Element | false {
  const { id, status, simulationId, counts } = run;
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { may } = useMember();
  const of = { params: { run: id }, query: { projectId } };
  const cancel = useChange({
    failed: 'The run was not cancelled',
    send: () => send(cancelApi, of),
    stale: RUN_CHANGED,
  });
  const resume = useChange<boolean>({
    failed: 'The run was not resumed',
    send: (retryLost) => send(resumeApi, { ...of, body: { retryLost } }),
    stale: RUN_CHANGED,
  });
  const remove = useChange({
    failed: 'The run was not deleted',
    send: async () => {
      await send(deleteRunApi, of);
      await navigate({ to: pagePath(projectId, 'simulations/$simulationId', { simulationId }) });
    },
    stale: [listApi],
  });
  if (!may('member')) return false;
  return (
    <>
      {status === 'running' && (
        <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      {(status === 'paused' || status === 'cancelled') && (
        <Button size="xs" loading={resume.isPending} onClick={() => resume.mutate(false)}>
          Resume
        </Button>
      )}
      {status !== 'running' && counts.lost > 0 && (
        <Button size="xs" variant="default" loading={resume.isPending} onClick={() => resume.mutate(true)}>
          Run lost again
        </Button>
      )}
      <Confirm
        label="Delete"
        size="xs"
        title="Delete this run?"
        confirm="Delete run"
        onConfirm={() => remove.mutate()}
      >
        Its transcripts are deleted. Calls of models stay in the books.
      </Confirm>
    </>
  );
}
