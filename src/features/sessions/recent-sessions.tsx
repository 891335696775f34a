import type { JSX } from 'react';
import { SessionLink } from '../../core/events/widgets/person-link.tsx';
import { Money } from '../../core/pricing/money.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { durationText, numberText } from '../../lib/figures.ts';
import type { listSessionsEndpoint, SessionsReply } from './contract.ts';

const listSessionsApi = endpointOf<typeof listSessionsEndpoint>('GET /v1/sessions');

const SHOWN = 8;
type Session = SessionsReply['sessions'][number];

type Props = {
  readonly userId: string;
  /** ISO 8601, both included. */
  readonly window: { readonly start: string; readonly end: string };
};

/** The latest conversations of one user in a window. */
export function RecentSessions({ userId, window }: Props): JSX.Element {
  const { params, zone, every } = useScope();
  const sessions = useApi(
    listSessionsApi,
    { query: { ...params, ...window, userId, limit: SHOWN } },
    { every },
  );
  return (
    <Panel
      title="Recent sessions"
      actions={
        <ProjectLink page="sessions" search={{ userId, ...window, range: undefined }}>
          All sessions
        </ProjectLink>
      }
      flush
    >
      <Loaded of={sessions} loading={<LoadingRows rows={3} />}>
        {(data) =>
          data.sessions.length === 0 ? (
            <Notice title="No sessions in this time" />
          ) : (
            <DataTable
              label="Recent sessions"
              columns={columnsFor(zone)}
              rows={data.sessions}
              rowKey={({ session_id }) => session_id}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

const columnsFor = (zone: Zone): Column<Session>[] => [
  { id: 'start', header: 'Started', cell: ({ start }) => timeText.minute(start, zone) },
  {
    id: 'session',
    header: 'Session',
    wide: true,
    cell: ({ session_id }) => <SessionLink id={session_id} />,
  },
  { id: 'calls', header: 'Calls', align: 'right', cell: ({ llm_calls }) => numberText(llm_calls) },
  {
    id: 'cost',
    header: 'Cost',
    align: 'right',
    amount: ({ cost_usd }) => cost_usd,
    cell: ({ cost_usd, unpriced, llm_calls }, write) =>
      llm_calls === 0 ? (
        <span className="dim">–</span>
      ) : (
        <Money usd={cost_usd} unpriced={unpriced} calls={llm_calls} write={write} />
      ),
  },
  { id: 'duration', header: 'Lasted', align: 'right', cell: ({ duration_ms }) => durationText(duration_ms) },
];
