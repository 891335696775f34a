import type { JSX } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import type { Silence } from '../silences/contract.ts';
import { ALERTS_STALE, deleteSilenceApi, EVERY_MS, listSilencesApi } from './alerts-api.ts';

type Props = {
  /** Only the silences that hold for this alert; null for all of the project. */
  readonly alertId: string | null;
};

/** The silences that have not ended; nothing without any. */
export function SilencePanel({ alertId }: Props): JSX.Element | null {
  const projectId = useProjectId();
  const all = useApi(listSilencesApi, { query: { projectId } }, { every: EVERY_MS }).data?.silences ?? [];
  const silences = all.filter((one) => alertId === null || one.alertId === null || one.alertId === alertId);
  if (silences.length === 0) return null;
  return (
    <Panel title="Silences" flush>
      <Silences silences={silences} />
    </Panel>
  );
}

function Silences({ silences }: { readonly silences: readonly Silence[] }): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const { may } = useMember();
  const end = useChange<Silence>({
    failed: 'The silence was not ended',
    send: ({ id }) => send(deleteSilenceApi, { params: { id }, query: { projectId } }),
    stale: ALERTS_STALE,
    done: 'The silence has ended',
  });
  const columns: Column<Silence>[] = [
    ...columnsOf(zone),
    {
      id: 'actions',
      header: '',
      cell: (silence) =>
        may('member') && (
          <span className="row-actions">
            <Confirm
              label="End"
              title="End this silence?"
              confirm="End silence"
              danger={false}
              onConfirm={() => end.mutate(silence)}
            >
              What still fires notifies within a minute.
            </Confirm>
          </span>
        ),
    },
  ];
  return <DataTable label="Silences" columns={columns} rows={silences} rowKey={({ id }) => id} />;
}

const columnsOf = (zone: Zone): Column<Silence>[] => [
  {
    id: 'of',
    header: 'Silenced',
    cell: ({ alertId, alert, group }) => (
      <>
        {alertId === null ? (
          'All alerts'
        ) : (
          <ProjectLink page="alerts/$alertId" params={{ alertId }}>
            {alert}
          </ProjectLink>
        )}
        {group !== null && <span className="dim"> {group === '' ? 'none' : group}</span>}
      </>
    ),
  },
  {
    id: 'until',
    header: 'Until',
    value: ({ until }) => until,
    cell: ({ until }) => timeText.minute(until, zone),
  },
  { id: 'reason', header: 'Reason', wraps: true, cell: ({ reason }) => reason },
  {
    id: 'by',
    header: 'By',
    cell: ({ createdBy }) => createdBy ?? <span className="dim">unknown</span>,
  },
];
