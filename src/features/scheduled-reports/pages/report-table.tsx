import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { meApi, useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useSetSearch, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { countText } from '../../../lib/figures.ts';
import type {
  deleteReportEndpoint,
  ScheduledReport,
  sendReportEndpoint,
  updateReportEndpoint,
} from '../contract.ts';
import { reportsApi, runsApi, scheduleText } from './apis.tsx';
import { toInput } from './to-input.tsx';

const sendApi = endpointOf<typeof sendReportEndpoint>('POST /v1/scheduled-reports/:id/send');
const updateApi = endpointOf<typeof updateReportEndpoint>('PUT /v1/scheduled-reports/:id');
const deleteApi = endpointOf<typeof deleteReportEndpoint>('DELETE /v1/scheduled-reports/:id');

type Props = {
  readonly reports: readonly ScheduledReport[];
  /** The id of the one that is shown below. */
  readonly opened: string | undefined;
  /** Null for those who may not edit. */
  readonly onEdit: ((report: ScheduledReport) => void) | null;
};

/** The reports with their schedule and recipients, and for admins what can be done with them. */
export function ReportTable({ reports, opened, onEdit }: Props): JSX.Element {
  const { organizationId, organizationName } = useMember();
  const zone = useZone();
  const me = useApi(meApi, {}).data;
  const own = me?.memberships.find((membership) => membership.organizationId === organizationId);
  const projects = new Map(own?.projects.map(({ id, name }) => [id, name]));
  const columns: Column<ScheduledReport>[] = [
    {
      id: 'name',
      header: 'Report',
      value: ({ name }) => name,
      cell: ({ id, name, projectId, environment }) => (
        <>
          <ProjectLink
            page="scheduled-reports"
            search={{ report: id === opened ? undefined : id }}
            className="row-link"
          >
            {name}
          </ProjectLink>
          <br />
          <span className="dim">
            {projectId === null ? organizationName : (projects.get(projectId) ?? projectId)}
            {environment !== null && `, ${environment}`}
          </span>
        </>
      ),
    },
    { id: 'schedule', header: 'Schedule', value: scheduleText, cell: scheduleText },
    {
      id: 'to',
      header: 'To',
      value: ({ recipients, channelIds }) => recipients.length + channelIds.length,
      cell: (report) => <Recipients report={report} />,
    },
    {
      id: 'next',
      header: 'Next',
      value: ({ nextAt }) => nextAt ?? '~',
      cell: ({ nextAt }) =>
        nextAt === null ? <span className="badge">Paused</span> : timeText.minute(nextAt, zone),
    },
    ...(onEdit === null
      ? []
      : [
          {
            id: 'actions',
            header: '',
            cell: (report: ScheduledReport) => <Actions report={report} onEdit={onEdit} />,
          },
        ]),
  ];
  return <DataTable label="Scheduled reports" columns={columns} rows={reports} rowKey={({ id }) => id} />;
}

function Recipients({ report: { recipients, channelIds } }: { report: ScheduledReport }): JSX.Element {
  const people = recipients.filter(({ email, unsubscribedAt }) => email !== null && unsubscribedAt === null);
  const parts = [
    ...(people.length > 0 ? [countText(people.length, 'member')] : []),
    ...(channelIds.length > 0 ? [countText(channelIds.length, 'channel')] : []),
  ];
  const title = recipients
    .map(({ email, unsubscribedAt }) =>
      email === null ? 'a former member' : `${email}${unsubscribedAt === null ? '' : ' (unsubscribed)'}`,
    )
    .join('\n');
  return parts.length === 0 ? (
    <span className="badge warn" title={title}>
      Nobody
    </span>
  ) : (
    <span title={title}>{parts.join(', ')}</span>
  );
}

type ActionProps = {
  readonly report: ScheduledReport;
  readonly onEdit: (report: ScheduledReport) => void;
};

function Actions({ report, onEdit }: ActionProps): JSX.Element {
  const { organizationId } = useMember();
  const of = { params: { id: report.id }, query: { organizationId } };
  const setSearch = useSetSearch<'scheduled-reports'>();
  const sendNow = useChange({
    failed: 'The report was not sent',
    send: async () => {
      await send(sendApi, of);
      // Whom it reached is said below.
      setSearch({ report: report.id });
    },
    stale: [reportsApi, runsApi],
    done: `${report.name} is on its way`,
  });
  const pause = useChange({
    failed: 'The report was not changed',
    send: () => send(updateApi, { ...of, body: { ...toInput(report), paused: !report.paused } }),
    stale: [reportsApi],
  });
  const remove = useChange({
    failed: 'The report was not deleted',
    send: () => send(deleteApi, of),
    stale: [reportsApi],
    done: `${report.name} was deleted`,
  });
  return (
    <span className="row-actions">
      <Confirm
        label="Send now"
        title={`Send ${report.name} now?`}
        confirm="Send now"
        danger={false}
        onConfirm={() => sendNow.mutate()}
      >
        Its recipients get the costs of the last whole {report.period}. The schedule stays.
      </Confirm>
      <Button variant="default" size="compact-xs" loading={pause.isPending} onClick={() => pause.mutate()}>
        {report.paused ? 'Resume' : 'Pause'}
      </Button>
      <Button variant="default" size="compact-xs" onClick={() => onEdit(report)}>
        Edit
      </Button>
      <Confirm
        label="Delete"
        title={`Delete ${report.name}?`}
        confirm="Delete report"
        onConfirm={() => remove.mutate()}
      >
        Its runs are deleted too. Events and costs stay.
      </Confirm>
    </span>
  );
}
