import { Checkbox, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import type { listOwnReportsEndpoint, OwnReport, putOwnReportEndpoint } from '../contract.ts';

const ownApi = endpointOf<typeof listOwnReportsEndpoint>('GET /v1/auth/scheduled-reports');
const subscribeApi = endpointOf<typeof putOwnReportEndpoint>('PUT /v1/auth/scheduled-reports/:id');

/** The reports that are mailed to the signed-in person, on the page of their account; nothing without any. */
export function OwnReports(): JSX.Element | null {
  const reports = useApi(ownApi, {}).data?.reports ?? [];
  const subscribe = useChange<OwnReport>({
    failed: 'The subscription was not changed',
    send: ({ id, subscribed }) => send(subscribeApi, { params: { id }, body: { subscribed: !subscribed } }),
    stale: [ownApi],
  });
  if (reports.length === 0) return null;
  return (
    <Panel title="Scheduled reports" detail="Mailed to you">
      <Stack gap="xs">
        {reports.map((report) => (
          <Checkbox
            key={report.id}
            label={`${report.name} · ${report.organization}`}
            checked={report.subscribed}
            disabled={subscribe.isPending}
            onChange={() => subscribe.mutate(report)}
          />
        ))}
      </Stack>
    </Panel>
  );
}
