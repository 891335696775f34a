import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useScope } from '../../../dashboard/shell/scope/scope.ts';
import { timeText } from '../../../dashboard/ui/format.ts';
import { type Kpi, Kpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { numberText } from '../../../lib/figures.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import type { ToolReply } from '../contract.ts';
import { toolApi } from './agents-api.ts';
import { CalleeTable } from './callee-table.tsx';
import { latencyKpis } from './latency-kpis.tsx';
import { NoteDialog } from './note-dialog.tsx';
import { NoteText } from './note-text.tsx';
import { unpricedOf } from './run-costs.tsx';
import { ToolSchemas } from './tool-schemas.tsx';

/** One tool: failures, latency, who calls it, and what it calls. */
export function ToolPage(): JSX.Element {
  const { toolName: name } = useParams({ from: '/projects/$projectId/tools/$toolName' });
  const { params, zone, every } = useScope('tools/$toolName');
  const { projectId, start, end, environment } = params;
  const [isEdited, setIsEdited] = useState(false);
  const { may } = useMember();
  const query = { projectId, start, end, environment };
  const tool = useApi(toolApi, { params: { name }, query }, { every });
  const found = tool.data?.tool;
  return (
    <Page
      title={name}
      back={<ProjectLink page="tools">Tools</ProjectLink>}
      actions={
        <>
          <ProjectLink page="events" search={{ filter: termOf('tool', name), kind: 'all' }}>
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
      {tool.error?.status === 404 ? (
        <Panel>
          <Notice icon="settings" title="No event names this tool">
            Its name may have been merged with another one.
          </Notice>
        </Panel>
      ) : (
        <Loaded of={tool} loading={<LoadingRows />}>
          {({ tool: own, callers, callees, schemas }) => (
            <div className="stack">
              <NoteText note={own} />
              <p className="dim num">
                {own.firstSeen !== null && `First seen ${timeText.minute(own.firstSeen, zone)}, `}
                {own.lastSeen !== null && `last ${timeText.minute(own.lastSeen, zone)}.`}
              </p>
              <Panel flush>
                <Kpis kpis={kpisOf(own)} />
              </Panel>
              <CalleeTable title="Called by" rows={callers} empty="No agent or tool is known to call it" />
              <ToolSchemas schemas={schemas} zone={zone} />
              <CalleeTable title="Calls" rows={callees} empty="It calls nothing that is recorded" />
            </div>
          )}
        </Loaded>
      )}
      {isEdited && found !== undefined && (
        <NoteDialog kind="tool" name={name} note={found} onClose={() => setIsEdited(false)} />
      )}
    </Page>
  );
}

function kpisOf(tool: ToolReply['tool']): Kpi[] {
  const { calls, errors, cost, modelCalls, unpriced } = tool;
  return [
    { id: 'calls', label: 'Calls', kind: 'count', value: calls },
    {
      id: 'failed',
      label: 'Failure rate',
      kind: 'fraction',
      value: calls === 0 ? 0 : errors / calls,
      missing: calls === 0,
      note: <span className="dim">{numberText(errors)} failed</span>,
    },
    ...latencyKpis(tool),
    {
      id: 'cost',
      label: 'Model cost',
      kind: 'money',
      value: cost,
      missing: modelCalls === 0,
      ...unpricedOf(unpriced, modelCalls),
    },
  ];
}
