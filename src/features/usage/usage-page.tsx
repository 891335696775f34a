import { Skeleton } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ChartOrTable } from '../../dashboard/ui/charts/time-chart.tsx';
import { timeText, UTC } from '../../dashboard/ui/format.ts';
import { Kpis, LoadingKpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded } from '../../dashboard/ui/states.tsx';
import { bytesText, numberText, percentText } from '../../lib/figures.ts';
import type { Usage, usageEndpoint } from './contract.ts';
import { PlanPanel } from './plan-panel.tsx';
import { ProjectUsagePanel } from './project-usage-panel.tsx';

const usageApi = endpointOf<typeof usageEndpoint>('GET /v1/organizations/:id/usage');

/** What the organization has used of its monthly events. */
export function UsagePage(): JSX.Element {
  const { organizationId, organizationName } = useMember();
  const usage = useApi(
    usageApi,
    { query: {}, params: { id: organizationId } },
    { enabled: organizationId !== '' },
  );
  return (
    <Page title="Usage" detail={<span className="dim">of {organizationName}</span>} scoped={false}>
      <Loaded
        of={usage}
        loading={
          <Panel flush>
            <LoadingKpis count={4} />
            <div className="chart-area">
              <Skeleton height={292} />
            </div>
          </Panel>
        }
      >
        {(data) => <Content usage={data} />}
      </Loaded>
      {organizationId !== '' && <ProjectUsagePanel organizationId={organizationId} />}
      {organizationId !== '' && <PlanPanel organizationId={organizationId} />}
    </Page>
  );
}

function Content({ usage }: { usage: Usage }): JSX.Element {
  const { used, limit, percent, forecast, exhaustedAt, bytes, resetsAt, plan, retentionDays, daily } = usage;
  const dim = (text: string): JSX.Element => <span className="dim">{text}</span>;
  const points = daily.map(({ date, events }) => ({ time: `${date}T00:00:00.000Z`, events }));
  return (
    <Panel flush>
      <Kpis
        kpis={[
          {
            id: 'used',
            label: 'Events this month',
            kind: 'count',
            value: used,
            note: dim(`${percentText(used / limit)} of ${numberText(limit)}`),
          },
          {
            id: 'bytes',
            label: 'Data this month',
            kind: 'bytes',
            value: bytes.used,
            note:
              bytes.exhaustedAt === null ? (
                dim(`${percentText(bytes.used / bytes.limit)} of ${bytesText(bytes.limit)}`)
              ) : (
                <span className="bad">runs out on {timeText.day(bytes.exhaustedAt, UTC)}</span>
              ),
          },
          {
            id: 'forecast',
            label: 'End of month',
            kind: 'count',
            value: forecast ?? 0,
            missing: forecast === null,
            note:
              exhaustedAt !== null ? (
                <span className="bad">runs out on {timeText.day(exhaustedAt, UTC)}</span>
              ) : (
                dim(forecast === null ? 'known after a full day' : 'within the plan')
              ),
          },
          {
            id: 'days',
            label: 'Retention (days)',
            kind: 'count',
            value: retentionDays,
            note: dim(`${plan} plan`),
          },
        ]}
      />
      <div
        className="quota"
        role="img"
        aria-label={`${percent.toFixed(1)} percent of the monthly events used`}
      >
        <span
          className={percent >= 80 ? 'quota-used quota-high' : 'quota-used'}
          style={{ width: `${Math.min(100, percent)}%` }}
        />
      </div>
      <div className="chart-area">
        <ChartOrTable
          points={points}
          series={[{ name: 'events', label: 'Events received', color: 'var(--sl-chart-1)' }]}
          kind="count"
          bucket="day"
          shape="bars"
          zone="utc"
          label="Events received by day"
        >
          <span className="dim">
            Events by day, all projects. The count resets on {timeText.date(resetsAt, UTC)}.
          </span>
        </ChartOrTable>
      </div>
    </Panel>
  );
}
