import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { useScope } from '../../../dashboard/shell/scope/scope.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import type { ScheduledReport } from '../contract.ts';
import { reportsApi } from './apis.tsx';
import { ReportForm } from './report-form.tsx';
import { ReportPreview } from './report-preview.tsx';
import { ReportRuns } from './report-runs.tsx';
import { ReportTable } from './report-table.tsx';

/** Costs that people and channels get every day, week or month. */
export function ReportsPage(): JSX.Element {
  const { organizationId, organizationName, may } = useMember();
  const { search } = useScope('scheduled-reports');
  const reports = useApi(reportsApi, { query: { organizationId } }, { enabled: organizationId !== '' });
  const [edited, setEdited] = useState<ScheduledReport | 'new' | null>(null);
  const add = may('admin') ? <Button onClick={() => setEdited('new')}>New report</Button> : undefined;
  const isEmpty = reports.data?.reports.length === 0;
  const opened = reports.data?.reports.find(({ id }) => id === search.report);
  return (
    <Page
      title="Scheduled reports"
      detail={<span className="dim">of {organizationName}</span>}
      actions={isEmpty ? undefined : add}
      scoped={false}
    >
      <Panel flush>
        <Loaded of={reports} loading={<LoadingRows rows={3} />}>
          {(data) =>
            data.reports.length === 0 ? (
              <Notice icon="calendar" title="No scheduled reports yet" action={add}>
                A report sends the costs of a day, week or month to members and channels: figures against the
                period before, the largest changes, models without a price and budgets near their end.
              </Notice>
            ) : (
              <ReportTable
                reports={data.reports}
                opened={opened?.id}
                onEdit={may('admin') ? setEdited : null}
              />
            )
          }
        </Loaded>
      </Panel>
      {opened !== undefined && (
        <>
          <ReportRuns key={`runs ${opened.id}`} report={opened} />
          <ReportPreview key={opened.id} report={opened} />
        </>
      )}
      {edited !== null && (
        <ReportForm report={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </Page>
  );
}
