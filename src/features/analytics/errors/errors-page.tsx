import { Skeleton } from '@mantine/core';
import type { JSX } from 'react';
import { DeletedNote } from '../../../core/events/widgets/deleted-note.tsx';
import { MetricChart } from '../../../core/events/widgets/metric-chart.tsx';
import { ModelLink } from '../../../core/events/widgets/model-link.tsx';
import { ExplainLink } from '../../../core/root-cause/explain-link.tsx';
import { ViewMenu } from '../../../core/views/view-menu.tsx';
import { CreateAlert } from '../../../dashboard/shell/alerts/create-alert.tsx';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useOrder } from '../../../dashboard/shell/lists/order.ts';
import { byGroup } from '../../../dashboard/shell/metrics/by-group.ts';
import type { MetricsQuestion } from '../../../dashboard/shell/metrics/metrics-question.ts';
import { isCompared, pageFilter, useMetrics } from '../../../dashboard/shell/metrics/use-metrics.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { type Scope, useScope } from '../../../dashboard/shell/scope/scope.ts';
import { COLOURS, REST_COLOUR } from '../../../dashboard/ui/charts/colours.ts';
import { SparkBars } from '../../../dashboard/ui/charts/spark-bars.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Kpis, LoadingKpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Failure, Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { countText, numberText, percentText } from '../../../lib/figures.ts';
import type { ErrorsReply, errorsEndpoint } from '../contract.ts';
import { NoCalls } from '../no-calls.tsx';
import { RateLimitHeatmap } from './rate-limit-heatmap.tsx';

const errorsApi = endpointOf<typeof errorsEndpoint>('GET /v1/errors');

/** What fails: when, how often, and whether it gets worse. */
export function ErrorsPage(): JSX.Element {
  const scope = useScope('errors');
  const { params, every, range, zone } = scope;
  const errors = useApi(errorsApi, { query: params }, { every });
  const previous = errors.data?.previous;
  const then = previous?.totalCalls === 0 ? undefined : previous;
  const isCalm = errors.data?.totalErrors === 0;
  // Once for the page: its parts would all say the same.
  if (errors.error !== null && errors.data === undefined)
    return (
      <Page title="Errors" filtered={scope} views={<ViewMenu scope={scope} page="errors" />}>
        <Failure error={errors.error} retry={() => void errors.refetch()} />
      </Page>
    );
  if (errors.data?.totalCalls === 0)
    return (
      <Page title="Errors" filtered={scope} views={<ViewMenu scope={scope} page="errors" />}>
        <Panel>
          <NoCalls scope={scope} icon="errors" deletedBefore={errors.data.deletedBefore} />
        </Panel>
      </Page>
    );
  return (
    <Page
      title="Errors"
      filtered={scope}
      views={<ViewMenu scope={scope} page="errors" />}
      actions={<ExplainLink measure="errorRate" />}
    >
      <div className="stack">
        <Panel flush>
          <Loaded of={errors} loading={<LoadingKpis count={4} />}>
            {({
              totalErrors,
              totalCalls,
              errorRate,
              errorGroups,
              otherGroups,
              deletedBefore,
              countedWhole,
              recordedSince,
            }) => (
              <>
                <Kpis
                  recordedSince={recordedSince}
                  kpis={[
                    {
                      id: 'errors',
                      label: 'Failed calls',
                      kind: 'count',
                      value: totalErrors,
                      previous: then?.totalErrors,
                      rising: 'bad',
                    },
                    {
                      id: 'rate',
                      label: 'Error rate',
                      kind: 'fraction',
                      value: errorRate,
                      previous: then?.errorRate,
                      rising: 'bad',
                      missing: totalCalls === 0,
                    },
                    {
                      id: 'groups',
                      label: 'Error groups',
                      kind: 'count',
                      value: errorGroups.length + (otherGroups?.groups ?? 0),
                      previous: then?.errorGroups,
                      rising: 'bad',
                    },
                    {
                      id: 'rising',
                      label: 'Rising groups',
                      kind: 'count',
                      value: errorGroups.filter(({ trend }) => trend === 'increasing').length,
                    },
                  ]}
                />
                <DeletedNote before={deletedBefore} whole={countedWhole} />
              </>
            )}
          </Loaded>
          <div className="chart-area">
            {isCalm ? <Notice icon="check" title="No failed calls in this time" /> : <Over scope={scope} />}
          </div>
        </Panel>
        {!isCalm && (
          <>
            <Panel
              title="Groups"
              detail="by error code; trend: failures per call in the last third of the range against the first"
              flush
            >
              <Loaded of={errors} loading={<LoadingRows rows={6} />}>
                {(data) => <Groups errors={data} scope={scope} />}
              </Loaded>
            </Panel>
            <Panel title="Rate limits" detail="rate-limited calls by hour">
              <Loaded of={errors} loading={<Skeleton height={150} />}>
                {({ rateLimitHeatmap }) => (
                  <RateLimitHeatmap hours={rateLimitHeatmap} range={range} zone={zone} />
                )}
              </Loaded>
            </Panel>
          </>
        )}
      </div>
    </Page>
  );
}

/** Red first: what fails most stands out. */
const FAILURES = ['var(--sl-chart-bad)', ...COLOURS.slice(2), COLOURS[0] ?? REST_COLOUR];

/** Codes that are told apart; a reply has room for as many in minutes. */
const MAX_GROUPS = 300;

/** The chart and the small bars of the table ask the same, so that it is read once. */
const FAILED: MetricsQuestion = {
  measures: ['requests'],
  groupBy: ['errorCode', 'status'],
  filter: 'status:failed',
  limit: MAX_GROUPS,
  bucket: 'auto',
};

/** What a group of failed calls is called. */
const codeOf = ({ errorCode, status }: Readonly<Record<string, string | null>>): string =>
  errorCode ?? status ?? 'error';

/** The failed calls of each code in each step of the range. */
function useCounts(scope: Scope<'errors'>): ReadonlyMap<string, readonly number[]> {
  const { data } = useMetrics(scope, FAILED, { compared: isCompared(scope) });
  const counts = new Map<string, number[]>();
  for (const { key, series } of data?.groups ?? []) {
    const sums = counts.get(codeOf(key)) ?? [];
    counts.set(codeOf(key), sums);
    for (const [step, count] of (series?.requests ?? []).entries())
      sums[step] = (sums[step] ?? 0) + (count ?? 0);
  }
  return counts;
}

/** Failed calls over time, by error code or, where there is none, by status, as in the table. */
const Over = ({ scope }: { scope: Scope<'errors'> }): JSX.Element => (
  <MetricChart
    scope={scope}
    question={FAILED}
    shape="bars"
    drawer={byGroup}
    colours={FAILURES}
    nameOf={codeOf}
    drill={() => ({
      filter: pageFilter({ params: { ...scope.params, environment: undefined } }, 'status:failed'),
    })}
    label="Failed calls over time"
    card={{ title: 'Failed calls by error code', measures: ['errors'], groupBy: ['errorCode'] }}
    alert={{ measure: 'errorRate' }}
  />
);

type Group = ErrorsReply['errorGroups'][number];

const TRENDS: Readonly<Record<Group['trend'], { label: string; tone: string }>> = {
  increasing: { label: 'Increasing', tone: 'bad' },
  stable: { label: 'Stable', tone: '' },
  decreasing: { label: 'Decreasing', tone: 'good' },
};

function Groups({ errors, scope }: { errors: ErrorsReply; scope: Scope<'errors'> }): JSX.Element {
  const order = useOrder(scope.search, { id: 'count', desc: true });
  const counts = useCounts(scope);
  const columns: Column<Group>[] = [
    {
      id: 'code',
      header: 'Error code',
      wide: true,
      value: ({ error_code }) => error_code,
      csv: { header: 'error_code', value: ({ error_code }) => error_code },
      cell: ({ error_code }) => (
        <ProjectLink page="events" search={{ errorCode: error_code }} title={error_code} className="row-link">
          {error_code}
        </ProjectLink>
      ),
    },
    {
      id: 'over',
      header: 'Over time',
      cell: ({ error_code }) => <SparkBars values={counts.get(error_code) ?? []} />,
    },
    {
      id: 'trend',
      header: 'Trend',
      value: ({ trend }) => trend,
      csv: { header: 'trend', value: ({ trend }) => trend },
      cell: ({ trend }) => <span className={`badge ${TRENDS[trend].tone}`}>{TRENDS[trend].label}</span>,
    },
    {
      id: 'count',
      header: 'Calls',
      align: 'right',
      value: ({ count }) => count,
      csv: { header: 'calls', value: ({ count }) => count },
      cell: ({ count }) => numberText(count),
    },
    {
      id: 'share',
      header: 'Share',
      align: 'right',
      value: ({ count }) => count,
      cell: ({ count }) => percentText(count / errors.totalErrors),
    },
    {
      id: 'model',
      header: 'Mostly in',
      value: ({ top_model }) => top_model,
      csv: { header: 'top_model', value: ({ top_model }) => top_model },
      cell: ({ top_model }) => <ModelLink model={top_model} />,
    },
    {
      id: 'alert',
      header: '',
      cell: ({ error_code }) => <CreateAlert measure="errors" only={['error', error_code]} of={error_code} />,
    },
  ];
  const { errorGroups, otherGroups } = errors;
  return (
    <>
      <DataTable
        label="Error groups"
        phone={['code', 'count', 'trend']}
        columns={columns}
        rows={errorGroups}
        rowKey={({ error_code }) => error_code}
        order={order}
        csv="errors"
      />
      {otherGroups !== undefined && (
        <p className="panel-note dim">
          These are the {numberText(errorGroups.length)} largest groups.{' '}
          {countText(otherGroups.groups, 'other')} with {countText(otherGroups.count, 'failed call')} are not
          listed: filter to see them.
        </p>
      )}
    </>
  );
}
