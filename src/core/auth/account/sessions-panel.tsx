import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import type {
  deleteSessionEndpoint,
  deleteSessionsEndpoint,
  getSessionsEndpoint,
} from '../sessions/contract.ts';

const sessionsApi = endpointOf<typeof getSessionsEndpoint>('GET /v1/auth/sessions');
const endSessionApi = endpointOf<typeof deleteSessionEndpoint>('DELETE /v1/auth/sessions/:sessionId');
const endOthersApi = endpointOf<typeof deleteSessionsEndpoint>('DELETE /v1/auth/sessions');

type Row = {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly current: boolean;
};

/** The browsers and programs that are signed in, with a way to sign them out. */
export function SessionsPanel(): JSX.Element {
  const zone = useZone();
  const sessions = useApi(sessionsApi, {});
  const end = useChange<Row>({
    failed: 'The login session was not ended',
    send: ({ id }) => send(endSessionApi, { params: { sessionId: id } }),
    stale: [sessionsApi],
  });
  const endOthers = useChange<null>({
    failed: 'The login sessions were not ended',
    send: () => send(endOthersApi, {}),
    stale: [sessionsApi],
  });
  const columns: Column<Row>[] = [
    {
      id: 'agent',
      header: 'Browser or program',
      wide: true,
      cell: ({ userAgent }) => <span className="clip">{userAgent ?? '–'}</span>,
    },
    { id: 'address', header: 'Address', cell: ({ ipAddress }) => ipAddress ?? '–' },
    { id: 'since', header: 'Signed in', cell: ({ createdAt }) => timeText.minute(createdAt, zone) },
    { id: 'until', header: 'Until', cell: ({ expiresAt }) => timeText.minute(expiresAt, zone) },
    {
      id: 'actions',
      header: '',
      cell: (row) =>
        row.current ? (
          <span className="badge good">This one</span>
        ) : (
          <Button variant="default" size="xs" onClick={() => end.mutate(row)}>
            End
          </Button>
        ),
    },
  ];
  return (
    <Panel
      title="Login sessions"
      flush
      detail={
        <Button variant="default" size="xs" onClick={() => endOthers.mutate(null)}>
          End all others
        </Button>
      }
    >
      <Loaded of={sessions} loading={<LoadingRows rows={2} />}>
        {(data) => (
          <DataTable label="Login sessions" columns={columns} rows={data.sessions} rowKey={({ id }) => id} />
        )}
      </Loaded>
    </Panel>
  );
}
