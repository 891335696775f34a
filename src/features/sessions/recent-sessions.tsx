import type { JSX } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import { DataTable } from '../../dashboard/ui/data-table.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import type { listSessionsEndpoint } from './contract.ts';
import { recentSessionColumns } from './session-columns.tsx';

const listSessionsApi = endpointOf<typeof listSessionsEndpoint>('GET /v1/sessions');

const SHOWN = 8;
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
              phone={['start', 'session', 'cost']}
              columns={recentSessionColumns(zone)}
              rows={data.sessions}
              rowKey={({ session_id }) => session_id}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}
