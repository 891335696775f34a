import type { JSX } from 'react';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { useProjectId, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { figureText } from '../notify/texts.ts';
import { AlertFigure } from './alert-figure.tsx';
import css from './alert-page.module.css';
import { EVERY_MS, type HistoryEntry, historyApi, type ShownAlert } from './alerts-api.ts';
import { reasonText } from './reasons.ts';
import { STATES, StateBadge } from './state-badge.tsx';

const NOTIFIED: Readonly<Record<HistoryEntry['notified'], string>> = {
  sent: 'Notified',
  silenced: 'Silenced',
  incident: 'By its incident',
  none: '–',
};

/** Every change of state, newest first. */
export function HistoryPanel({ alert }: { readonly alert: ShownAlert }): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const query = { projectId };
  const pages = usePages(historyApi, { params: { id: alert.id }, query }, { every: EVERY_MS });
  return (
    <section className="stack">
      <h2 className={css.heading}>History</h2>
      <Paged
        pages={pages}
        rowsOf={({ history }) => history}
        more="Older changes"
        empty={
          <Notice icon="check" title="Its state has not changed yet">
            Changes of state are kept for 90 days.
          </Notice>
        }
      >
        {(history) => (
          <DataTable
            label="History"
            phone={['to', 'group', 'value']}
            columns={columnsOf(alert, zone)}
            rows={history}
            rowKey={({ id }) => id}
          />
        )}
      </Paged>
    </section>
  );
}

const columnsOf = ({ measure, groupBy }: ShownAlert, zone: Zone): Column<HistoryEntry>[] => [
  {
    id: 'at',
    header: 'Time',
    cell: ({ at, superseded }) => (
      <>
        {timeText.minute(at, zone)}
        {superseded && (
          <>
            <br />
            <span className="dim" title="Events that arrived late changed this window">
              corrected later
            </span>
          </>
        )}
      </>
    ),
  },
  {
    id: 'to',
    header: 'State',
    cell: ({ from, to }) => (
      <>
        <StateBadge state={to} />
        <br />
        <span className="dim">after {STATES[from].label}</span>
      </>
    ),
  },
  ...(groupBy == null ? [] : [GROUP]),
  {
    id: 'value',
    header: 'Value',
    align: 'right',
    cell: ({ threshold, ...entry }) => (
      <>
        <AlertFigure measure={measure} of={entry} />
        {threshold !== null && (
          <>
            <br />
            <span className="dim">threshold {figureText(measure, threshold)}</span>
          </>
        )}
      </>
    ),
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ reason }) => (reason === null ? <span className="dim">–</span> : reasonText(reason)),
  },
  { id: 'notified', header: 'Notified', cell: ({ notified }) => NOTIFIED[notified] },
];

const GROUP: Column<HistoryEntry> = {
  id: 'group',
  header: 'Group',
  wide: true,
  cell: ({ group }) => (group === '' ? <span className="dim">none</span> : group),
};
