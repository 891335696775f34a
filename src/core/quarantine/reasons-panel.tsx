import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { numberText } from '../../lib/figures.ts';
import type {
  dismissEndpoint,
  listQuarantineEndpoint,
  QuarantineReason,
  quarantineReasonsEndpoint,
} from './contract.ts';
import { ReplayMany } from './replay-many.tsx';

const reasonsApi = endpointOf<typeof quarantineReasonsEndpoint>('GET /v1/quarantine/reasons');
const listQuarantineApi = endpointOf<typeof listQuarantineEndpoint>('GET /v1/quarantine');
const dismissApi = endpointOf<typeof dismissEndpoint>('POST /v1/quarantine/dismiss');

/** Why lines were refused, with how many; all of a reason are corrected or dismissed together. */
export function ReasonsPanel({ reasons }: { reasons: readonly QuarantineReason[] }): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const { may } = useMember();
  const [replayed, setReplayed] = useState<QuarantineReason | null>(null);
  const dismiss = useChange<QuarantineReason>({
    failed: 'The events were not dismissed',
    send: ({ reason, upTo }) => send(dismissApi, { query: { projectId }, body: { reason, upTo } }),
    stale: [listQuarantineApi, reasonsApi],
    done: 'The events are dismissed',
  });
  const columns: Column<QuarantineReason>[] = [
    {
      id: 'reason',
      header: 'Reason',
      wraps: true,
      value: ({ reason }) => reason,
      cell: ({ reason }) => (
        <ProjectLink page="quarantine" search={{ reason }} className="row-link any-break">
          {reason}
        </ProjectLink>
      ),
    },
    {
      id: 'lines',
      header: 'Events',
      align: 'right',
      value: ({ lines }) => lines,
      cell: ({ lines }) => numberText(lines),
    },
    {
      id: 'last',
      header: 'Last',
      value: ({ last }) => last,
      cell: ({ last }) => timeText.second(last, zone),
    },
    {
      id: 'actions',
      header: '',
      cell: (reason) => (
        <span className="row-actions">
          {reason.replayable > 0 && (
            <Button variant="default" size="compact-xs" onClick={() => setReplayed(reason)}>
              Correct all
            </Button>
          )}
          <Confirm
            label="Dismiss all"
            title={`Dismiss ${numberText(reason.lines)} ${reason.lines === 1 ? 'event' : 'events'}?`}
            confirm="Dismiss"
            onConfirm={() => dismiss.mutate(reason)}
          >
            They are deleted from the quarantine and cannot be recorded any more. Events that were refused
            after you opened this page stay.
          </Confirm>
        </span>
      ),
    },
  ];
  return (
    <Panel title="Reasons" flush>
      <DataTable
        label="Reasons"
        columns={may('member') ? columns : columns.filter(({ id }) => id !== 'actions')}
        rows={reasons}
        rowKey={({ reason }) => reason}
        sort={{ id: 'lines', desc: true }}
      />
      {replayed !== null && <ReplayMany reason={replayed} onClose={() => setReplayed(null)} />}
    </Panel>
  );
}
