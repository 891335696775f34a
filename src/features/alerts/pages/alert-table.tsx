import type { JSX } from 'react';
import { type FiringRange, joinFirings } from '../../../dashboard/shell/alerts/firing-ranges.ts';
import { useApi } from '../../../dashboard/shell/api.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import { SparkLine } from '../../../dashboard/ui/charts/spark-line.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { agoText } from '../../../dashboard/ui/format.ts';
import { formatInstant, MINUTE_MS } from '../../../lib/time.ts';
import { AlertFigure } from './alert-figure.tsx';
import css from './alert-table.module.css';
import { EVERY_MS, firingsApi, type ListedAlert } from './alerts-api.ts';
import { sentenceOf } from './rule-words.ts';
import { AlertBadges } from './state-badge.tsx';
import { STRIP_DAYS, StateStrip } from './state-strip.tsx';

const DAY_MINUTES = 1_440;

/** Alerts with their states and when they fired lately. */
export function AlertTable({ alerts }: { readonly alerts: readonly ListedAlert[] }): JSX.Element {
  const projectId = useProjectId();
  // To the minute, so that a render is not another request.
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const start = formatInstant(now - STRIP_DAYS * DAY_MINUTES * MINUTE_MS);
  const firings = useApi(firingsApi, { query: { projectId, start } }, { every: EVERY_MS }).data?.firings;
  const byAlert = Map.groupBy(joinFirings(firings ?? []), ({ alertId }) => alertId);
  return (
    <DataTable
      label="Alerts"
      phone={['state', 'name', 'value']}
      columns={columnsOf(byAlert, now)}
      rows={alerts}
      rowKey={({ id }) => id}
    />
  );
}

const columnsOf = (byAlert: ReadonlyMap<string, FiringRange[]>, now: number): Column<ListedAlert>[] => [
  {
    id: 'state',
    header: 'State',
    cell: (alert) => (
      <span className={css.badges}>
        <AlertBadges {...alert} />
      </span>
    ),
  },
  {
    id: 'name',
    header: 'Alert',
    wraps: true,
    value: ({ name }) => name.toLowerCase(),
    cell: (alert) => (
      <>
        <ProjectLink page="alerts/$alertId" params={{ alertId: alert.id }} className="row-link">
          <strong>{alert.name}</strong>
        </ProjectLink>
        <br />
        <span className={`dim any-break ${css.sentence}`}>{sentenceOf(alert)}</span>
      </>
    ),
  },
  {
    id: 'value',
    header: 'Now',
    align: 'right',
    cell: (alert) => <Now alert={alert} />,
  },
  {
    id: 'trend',
    header: 'Last day',
    cell: ({ trend }) =>
      trend === null ? (
        <span className="dim">–</span>
      ) : (
        <SparkLine values={trend.values} slots={DAY_MINUTES / trend.stepMinutes} />
      ),
  },
  {
    id: 'groups',
    header: 'Firing',
    align: 'right',
    value: ({ groups }) => groups.critical + groups.warning,
    cell: ({ groups: { critical, warning, total }, groupBy }) =>
      groupBy == null || total === 0 ? <span className="dim">–</span> : `${critical + warning} of ${total}`,
  },
  {
    id: 'strip',
    header: `Last ${STRIP_DAYS} days`,
    cell: (alert) => <StateStrip alert={alert} ranges={byAlert.get(alert.id) ?? []} now={now} />,
  },
  {
    id: 'evaluated',
    header: 'Checked',
    align: 'right',
    value: ({ evaluatedAt }) => evaluatedAt ?? '',
    cell: ({ evaluatedAt }) => (
      <span className="dim">{evaluatedAt === null ? 'not yet' : agoText(evaluatedAt, Date.now())}</span>
    ),
  },
];

/** The worst value, and whose it is. */
const Now = ({ alert }: { readonly alert: ListedAlert }): JSX.Element => (
  <>
    <AlertFigure measure={alert.measure} of={alert} />
    {alert.worstGroup !== null && (
      <>
        <br />
        <span className="dim">{alert.worstGroup === '' ? 'none' : alert.worstGroup}</span>
      </>
    )}
  </>
);
