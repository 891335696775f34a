import { Button, Drawer, NativeSelect } from '@mantine/core';
import { type JSX, useEffect, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { durationText, moneyText } from '../../../lib/figures.ts';
import type { SimulatedConversation, SimulationRunDetail, SimulationTranscript } from '../runs/contract.ts';
import { conversationApi, conversationsApi } from './simulations-api.ts';

const LIVE_MS = 2_000;
const OUTCOMES = [
  { value: '', label: 'All conversations' },
  { value: 'failed', label: 'Failed' },
  { value: 'passed', label: 'Passed' },
  { value: 'lost', label: 'Lost' },
] as const;
const RESULT = {
  passed: { label: 'Passed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  lost: { label: 'Lost', tone: 'warn' },
} as const;

/** The conversations of a run; a click shows what was said, with the verdicts in place. */
export function Conversations({ run }: { readonly run: SimulationRunDetail }): JSX.Element {
  const projectId = useProjectId();
  const [outcome, setOutcome] = useState<'' | 'failed' | 'passed' | 'lost'>('');
  const [shown, setShown] = useState<number | null>(null);
  const query = { projectId, ...(outcome !== '' && { outcome }) };
  const isRunning = run.status === 'running';
  const asked = { params: { run: run.id }, query };
  const pages = usePages(conversationsApi, asked, { every: isRunning && LIVE_MS });
  const { refetch } = pages;
  // The last look while it ran may have been before its last conversation ended.
  useEffect(() => {
    if (!isRunning) void refetch();
  }, [isRunning, refetch]);
  const choose = (
    <NativeSelect
      size="xs"
      aria-label="Which conversations"
      data={[...OUTCOMES]}
      value={outcome}
      onChange={({ currentTarget: { value } }) => setOutcome(value as typeof outcome)}
    />
  );
  return (
    <Panel title="Conversations" actions={choose} flush>
      <Paged
        pages={pages}
        rowsOf={({ conversations }) => conversations}
        more="More conversations"
        empty={<Notice title="No such conversation" />}
      >
        {(rows) => (
          <DataTable
            label="Conversations"
            columns={columnsOf(setShown)}
            rows={rows}
            rowKey={({ no }) => String(no)}
          />
        )}
      </Paged>
      <Drawer
        opened={shown !== null}
        onClose={() => setShown(null)}
        position="right"
        size="lg"
        title="Conversation"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {shown !== null && <Transcript run={run.id} no={shown} />}
      </Drawer>
    </Panel>
  );
}

const columnsOf = (show: (no: number) => void): Column<SimulatedConversation>[] =>
  withCells([
    {
      id: 'scenario',
      header: 'Conversation',
      value: ({ no }) => no,
      cell: ({ no, scenario, repetition }) => (
        <Button variant="subtle" size="compact-sm" onClick={() => show(no)}>
          {scenario} ({repetition})
        </Button>
      ),
    },
    {
      id: 'outcome',
      header: 'Outcome',
      value: ({ outcome, state }) =>
        outcome === null ? (state === 'running' ? 'Running' : 'Waiting') : RESULT[outcome].label,
      cell: ({ outcome, state }) =>
        outcome === null ? (
          <span className="dim">{state === 'running' ? 'Running' : 'Waiting'}</span>
        ) : (
          <span className={`badge ${RESULT[outcome].tone}`}>{RESULT[outcome].label}</span>
        ),
    },
    { id: 'turns', header: 'Turns', align: 'right', value: ({ turns }) => turns },
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
      value: ({ costUsd }) => costUsd ?? -1,
      cell: ({ costUsd }) => (costUsd === null ? '–' : moneyText(costUsd)),
    },
    {
      id: 'failure',
      header: 'Failure',
      wraps: true,
      value: ({ failure }) => failure ?? '–',
      cell: ({ failure }) => <span className="any-break">{failure ?? '–'}</span>,
    },
  ]);

function Transcript({ run, no }: { readonly run: string; readonly no: number }): JSX.Element {
  const projectId = useProjectId();
  const found = useApi(conversationApi, { params: { run, no: String(no) }, query: { projectId } });
  return (
    <Loaded of={found} loading={<LoadingRows rows={6} />}>
      {({ scenario, repetition, transcript, criteria, failure, outcome }) => (
        <div className="stack">
          <p>
            <strong>
              {scenario} ({repetition})
            </strong>
            {outcome === 'lost' && `: ${failure}`}
          </p>
          {transcript.map((turn) => (
            <TurnShown key={turn.turn} turn={turn} />
          ))}
          <Verdicts label="At the end" verdicts={criteria} />
        </div>
      )}
    </Loaded>
  );
}

/** Two calls or checks can be alike; their order never changes. */
const numbered = <T extends object>(list: readonly T[]): (T & { readonly key: number })[] =>
  list.map((one, key) => ({ ...one, key }));

type Turn = SimulationTranscript['transcript'][number];

function TurnShown({ turn }: { readonly turn: Turn }): JSX.Element {
  const { user, answer, toolCalls, latencyMs, costUsd, traceId, isTraceStored, error, verdicts } = turn;
  const breaks = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;
  return (
    <section aria-label={`Turn ${turn.turn}`}>
      <p style={breaks}>
        <span className="dim">User: </span>
        {user}
      </p>
      {numbered(toolCalls).map(({ key, ...call }) => (
        <p key={key} style={breaks}>
          <span className="dim">Tool: </span>
          {call.name}({JSON.stringify(call.arguments)})
        </p>
      ))}
      <p style={breaks}>
        <span className="dim">Agent: </span>
        {answer ?? error ?? 'The answer is not known'}
      </p>
      <p className="dim">
        {latencyMs === null ? '' : durationText(latencyMs)}
        {costUsd !== null && `, ${moneyText(costUsd)}`}{' '}
        {traceId !== null && isTraceStored && (
          <ProjectLink page="traces/$traceId" params={{ traceId }}>
            Trace
          </ProjectLink>
        )}
      </p>
      <Verdicts label={`Checks of turn ${turn.turn}`} verdicts={verdicts} />
    </section>
  );
}

type Listed = { readonly label: string; readonly verdicts: Turn['verdicts'] };

const Verdicts = ({ label, verdicts }: Listed): JSX.Element | false =>
  verdicts.length > 0 && (
    <ul aria-label={label}>
      {numbered(verdicts).map(({ key, check, passed, reason }) => (
        <li key={key}>
          {passed ? '✓' : '✗'} <span className="dim">{passed ? 'Passed' : 'Failed'}:</span> {check}
          {reason !== null && ` – ${reason}`}
        </li>
      ))}
    </ul>
  );
