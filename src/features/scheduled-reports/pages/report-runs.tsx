import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { costText, periodText } from '../../../lib/reports/labels.ts';
import type { ReportRun, ScheduledReport } from '../contract.ts';
import { runsApi } from './apis.tsx';
import css from './reports.module.css';

/** Mails and deliveries change while they are sent. */
const EVERY_MS = 10_000;

/** The newest runs of a report with what became of their mails and deliveries. */
export function ReportRuns({ report }: { report: ScheduledReport }): JSX.Element {
  const { organizationId } = useMember();
  const zone = useZone();
  const runs = useApi(runsApi, { params: { id: report.id }, query: { organizationId } }, { every: EVERY_MS });
  return (
    <Panel title={`Last runs of ${report.name}`} detail="newest first, kept for 400 days" flush>
      <Loaded of={runs} loading={<LoadingRows rows={2} />}>
        {(data) =>
          data.runs.length === 0 ? (
            <p className="panel-body dim">It was not sent yet.</p>
          ) : (
            <DataTable
              label={`Last runs of ${report.name}`}
              columns={columnsOf(report, zone)}
              rows={data.runs}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

const columnsOf = ({ timeZone }: ScheduledReport, zone: Zone): Column<ReportRun>[] => [
  { id: 'at', header: 'Made', value: ({ at }) => at, cell: ({ at }) => timeText.minute(at, zone) },
  {
    id: 'trigger',
    header: 'By',
    cell: ({ trigger }) => (trigger === 'schedule' ? 'Schedule' : 'A person'),
  },
  { id: 'period', header: 'Period', cell: ({ start, end }) => periodText({ start, end, timeZone }) },
  {
    id: 'cost',
    header: 'Cost',
    align: 'right',
    value: ({ costUsd }) => costUsd ?? -1,
    cell: ({ costUsd, unpriced }) => costText({ current: costUsd }, unpriced),
  },
  { id: 'to', header: 'Sent to', wraps: true, cell: (run) => <Outcomes run={run} /> },
];

const TONES = {
  pending: 'warn',
  sent: 'good',
  delivered: 'good',
  failed: 'bad',
  skipped: '',
} as const;
const WORDS = {
  pending: 'waits',
  sent: 'sent',
  delivered: 'delivered',
  failed: 'failed',
  skipped: 'skipped',
} as const;

function Outcomes({ run: { mails, deliveries } }: { run: ReportRun }): JSX.Element {
  const all = [
    ...mails.map(({ userId, email, status, error }) => ({
      key: userId,
      to: email ?? 'A former member',
      status,
      error,
    })),
    ...deliveries.map(({ id, channel, status }) => ({ key: id, to: channel, status, error: null })),
  ];
  if (all.length === 0) return <span className="dim">nobody</span>;
  return (
    <ul className={css.list}>
      {all.map(({ key, to, status, error }) => (
        <li key={key}>
          {to} <span className={`badge ${TONES[status]}`}>{WORDS[status]}</span>
          {error !== null && <span className="dim"> {error}</span>}
        </li>
      ))}
    </ul>
  );
}
