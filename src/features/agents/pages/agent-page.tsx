import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { type JSX, type ReactNode, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { type Scope, useScope } from '../../../dashboard/shell/scope/scope.ts';
import { timeText } from '../../../dashboard/ui/format.ts';
import { type Kpi, Kpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { numberText } from '../../../lib/figures.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import type { AgentReply } from '../contract.ts';
import { agentApi } from './agents-api.ts';
import { CalleeTable } from './callee-table.tsx';
import { latencyKpis } from './latency-kpis.tsx';
import { NoteDialog } from './note-dialog.tsx';
import { NoteText } from './note-text.tsx';
import { RunCosts, unpricedOf } from './run-costs.tsx';
import { VersionTable } from './version-table.tsx';

type Props = {
  readonly RecentTraces: (props: { readonly title: string; readonly filter: string }) => JSX.Element;
};

/** One agent: its runs, what it calls, who calls it, and its versions. */
export function AgentPage({ RecentTraces }: Props): JSX.Element {
  const { agentName: name } = useParams({ from: '/projects/$projectId/agents/$agentName' });
  const scope = useScope('agents/$agentName');
  const { params, every } = scope;
  const { projectId, start, end, environment } = params;
  const [isEdited, setIsEdited] = useState(false);
  const { may } = useMember();
  const query = { projectId, start, end, environment };
  const agent = useApi(agentApi, { params: { name }, query }, { every });
  const found = agent.data?.agent;
  return (
    <Page
      title={name}
      back={<ProjectLink page="agents">Agents</ProjectLink>}
      actions={
        <>
          <ProjectLink page="traces" search={{ filter: termOf('agent', name) }}>
            Traces
          </ProjectLink>
          <ProjectLink page="events" search={{ filter: termOf('agent', name), kind: 'all' }}>
            Events
          </ProjectLink>
          {found !== undefined && may('member') && (
            <Button variant="default" onClick={() => setIsEdited(true)}>
              Edit
            </Button>
          )}
        </>
      }
    >
      {agent.error?.status === 404 ? (
        <Panel>
          <Notice icon="users" title="No event names this agent">
            Its name may have been merged with another one.
          </Notice>
        </Panel>
      ) : (
        <Loaded of={agent} loading={<LoadingRows />}>
          {(data) => (
            <Content data={data} scope={scope}>
              <RunCosts scope={scope} names={[name, ...data.merged]} agent={data.agent} />
              <RecentTraces title="Latest runs" filter={termOf('agent', name)} />
            </Content>
          )}
        </Loaded>
      )}
      {isEdited && found !== undefined && (
        <NoteDialog kind="agent" name={name} note={found} onClose={() => setIsEdited(false)} />
      )}
    </Page>
  );
}

type ContentProps = { readonly data: AgentReply; readonly scope: Scope; readonly children: ReactNode };

/** `children`: what is known run by run. */
function Content({ data, scope, children }: ContentProps): JSX.Element {
  const { agent, callees, callers, versions, merged, window } = data;
  const { zone } = scope;
  return (
    <div className="stack">
      <NoteText note={agent} />
      <p className="dim num">
        {agent.firstSeen !== null && `First seen ${timeText.minute(agent.firstSeen, zone)}, `}
        {agent.lastSeen !== null && `last ${timeText.minute(agent.lastSeen, zone)}. `}
        {agent.environments.length > 0 && `Environments: ${agent.environments.join(', ')}. `}
        {agent.prompts.length > 0 && `Prompts: ${agent.prompts.slice(0, 5).join(', ')}.`}
      </p>
      <Panel flush>
        <Kpis kpis={kpisOf(agent)} />
      </Panel>
      {children}
      <CalleeTable title="Calls" rows={callees} empty="It called nothing in this time" />
      <CalleeTable title="Called by" rows={callers} empty="No agent or tool called it in this time" />
      <VersionTable versions={versions} about={{ scope, names: [agent.name, ...merged], window }} />
    </div>
  );
}

function kpisOf(agent: AgentReply['agent']): Kpi[] {
  const { runs, failedRuns, costPerRun, costPerSuccessfulRun, calls, cost } = agent;
  const money = (id: string, label: string, value: number | null): Kpi => ({
    ...{ id, label, kind: 'money' },
    value: value ?? 0,
    missing: value === null,
  });
  const ofRuns = (id: string, label: string, value: number | null): Kpi => ({
    ...money(id, label, value),
    ...unpricedOf(agent.runUnpriced, agent.runModelCalls),
  });
  return [
    {
      id: 'runs',
      label: 'Runs',
      kind: 'count',
      value: runs,
      note: <span className="dim">{numberText(failedRuns)} failed</span>,
    },
    ofRuns('costPerRun', 'Cost per run', costPerRun),
    ofRuns('costPerSuccessfulRun', 'Cost per successful run', costPerSuccessfulRun),
    { ...money('cost', 'Cost of own calls', cost), ...unpricedOf(agent.unpriced, agent.modelCalls) },
    {
      id: 'calls',
      label: 'Times called',
      kind: 'count',
      value: calls,
    },
    ...latencyKpis(agent),
  ];
}
