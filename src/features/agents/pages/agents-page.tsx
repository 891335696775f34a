import type { JSX } from 'react';
import { costColumn, Money } from '../../../core/pricing/money.tsx';
import { useApi } from '../../../dashboard/shell/api.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useScope } from '../../../dashboard/shell/scope/scope.ts';
import { SparkBars } from '../../../dashboard/ui/charts/spark-bars.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { agoText, timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { CsvButton } from '../../../dashboard/ui/table/csv-button.tsx';
import { countText, numberText } from '../../../lib/figures.ts';
import type { AgentsReply } from '../contract.ts';
import { listAgentsApi } from './agents-api.ts';
import { countColumn, failedColumn, runCostColumn, timeColumn } from './columns.tsx';
import { NodeLink } from './node-link.tsx';

type Agent = AgentsReply['agents'][number];

/** The agents that events name, with runs, cost, failures and latency. */
export function AgentsPage(): JSX.Element {
  const { params, zone, every } = useScope('agents');
  const { projectId, start, end, environment } = params;
  const agents = useApi(listAgentsApi, { query: { projectId, start, end, environment } }, { every });
  const columns = columnsFor(zone);
  return (
    <Page
      title="Agents"
      actions={
        <>
          <CsvButton name="agents" columns={columns} rows={() => ({ rows: agents.data?.agents ?? [] })} />
          <ProjectLink page="agents/graph">Graph</ProjectLink>
        </>
      }
    >
      <Panel flush>
        <Loaded of={agents} loading={<LoadingRows />}>
          {({ agents: found, otherAgents }) =>
            found.length === 0 ? (
              <Notice icon="users" title="No agents in this time">
                Send spans of kind <code>agent</code>, or the field <code>agent</code> with your events. OTLP
                spans name their agent in <code>gen_ai.agent.name</code>.
              </Notice>
            ) : (
              <>
                <DataTable
                  label="Agents"
                  phone={['agent', 'cost', 'runs', 'costPerRun']}
                  columns={columns}
                  rows={found}
                  rowKey={({ name }) => name}
                  sort={{ id: 'cost', desc: true }}
                />
                {otherAgents !== undefined && <Others listed={found.length} others={otherAgents} />}
              </>
            )
          }
        </Loaded>
      </Panel>
      <p className="dim">
        Figures cover whole hours. A run is a trace that the agent began; its cost includes all agents in it.
      </p>
    </Page>
  );
}

type OthersProps = {
  readonly listed: number;
  readonly others: NonNullable<AgentsReply['otherAgents']>;
};

const Others = ({ listed, others }: OthersProps): JSX.Element => {
  const { agents, modelCalls, cost, unpriced } = others;
  return (
    <p className="panel-note dim">
      These are the {numberText(listed)} agents with the highest cost. {countText(agents, 'other')} with{' '}
      {countText(modelCalls, 'model call')}
      {modelCalls > 0 && (
        <>
          {' ('}
          <Money usd={cost} unpriced={unpriced} calls={modelCalls} />)
        </>
      )}{' '}
      are not listed: choose less time or an environment to see them.
    </p>
  );
};

const columnsFor = (zone: Zone): Column<Agent>[] => [
  {
    id: 'agent',
    header: 'Agent',
    wide: true,
    value: ({ name }) => name,
    csv: { header: 'agent', value: ({ name }) => name },
    cell: ({ name, description, owner }) => (
      <>
        <NodeLink kind="agent" name={name} className="row-link" />
        {(description !== '' || owner !== '') && (
          <>
            <br />
            <span className="dim clip">{[owner, description].filter((text) => text !== '').join(' · ')}</span>
          </>
        )}
      </>
    ),
  },
  {
    id: 'trend',
    header: 'Calls made by day',
    cell: ({ series }) => <SparkBars values={series} tone="neutral" />,
  },
  countColumn('runs', 'Runs', ({ runs }) => runs),
  failedColumn(({ failedRuns, runs }) => ({ failed: failedRuns, all: runs }), 'Failed runs'),
  runCostColumn(),
  countColumn('modelCalls', 'Model calls', ({ modelCalls }) => modelCalls),
  countColumn('toolCalls', 'Tool calls', ({ toolCalls }) => toolCalls),
  {
    ...costColumn<Agent>(({ cost, unpriced, modelCalls }) => ({ usd: cost, unpriced, calls: modelCalls })),
    value: ({ cost }) => cost,
  },
  timeColumn('latencyP50', 'Median', ({ latencyP50 }) => latencyP50),
  timeColumn('latencyP95', 'p95', ({ latencyP95 }) => latencyP95),
  {
    id: 'last',
    header: 'Last seen',
    value: ({ lastSeen }) => lastSeen ?? '',
    csv: { header: 'last_seen', value: ({ lastSeen }) => lastSeen },
    cell: ({ lastSeen }) =>
      lastSeen === null ? (
        '–'
      ) : (
        <span title={timeText.full(lastSeen, zone)}>{agoText(lastSeen, Date.now())}</span>
      ),
  },
];
