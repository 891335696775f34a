import { Skeleton } from '@mantine/core';
import type { ComponentProps, JSX } from 'react';
import type { MetricMeasure } from '../../../core/events/query/contract.ts';
import { DeletedNote } from '../../../core/events/widgets/deleted-note.tsx';
import { MetricChart } from '../../../core/events/widgets/metric-chart.tsx';
import { ModelLink } from '../../../core/events/widgets/model-link.tsx';
import { StatusBadge } from '../../../core/events/widgets/status-badge.tsx';
import { Money, UnpricedNote } from '../../../core/pricing/money.tsx';
import { ExplainLink } from '../../../core/root-cause/explain-link.tsx';
import { CreateAlert } from '../../../dashboard/shell/alerts/create-alert.tsx';
import { useApi } from '../../../dashboard/shell/api.ts';
import { AskBox } from '../../../dashboard/shell/ask/ask-box.tsx';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { type Scope, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { ShareBar } from '../../../dashboard/ui/charts/share-bar.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { type Kpi, Kpis, LoadingKpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { numberText } from '../../../lib/figures.ts';
import { lookUp } from '../../../lib/text/look-up.ts';
import type { OverviewReply, overviewEndpoint } from '../contract.ts';
import { NoCalls } from '../no-calls.tsx';
import type { PerformanceReply, performanceEndpoint } from '../performance/contract.ts';

const overviewApi = endpointOf<typeof overviewEndpoint>('GET /v1/projects/:id/overview');
const performanceApi = endpointOf<typeof performanceEndpoint>('GET /v1/performance');

const TILES = 7;

/** How a project is doing: its figures, one of them over time, what costs most, what failed last. */
export function OverviewPage(): JSX.Element {
  const scope = useScope('overview');
  const { projectId: _, ...params } = scope.params;
  const overview = useApi(
    overviewApi,
    { params: { id: scope.projectId }, query: params },
    { every: scope.every },
  );
  return (
    <Page
      title="Overview"
      filtered={scope}
      actions={<ExplainLink measure={lookUp(MEASURES, scope.search.metric ?? '') ?? 'requests'} />}
    >
      <Loaded of={overview} loading={<LoadingOverview />}>
        {(data) =>
          data.kpis.totalRequests === 0 ? (
            <Nothing scope={scope} data={data} />
          ) : (
            <Figures scope={scope} data={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** What explains the change of the figure that the chart shows. */
const MEASURES: Readonly<Record<string, Parameters<typeof ExplainLink>[0]['measure']>> = {
  cost: 'cost',
  latency: 'latencyAvg',
  p95: 'latencyP95',
  tokens: 'inputTokens',
  cache: 'cacheRate',
  errorRate: 'errorRate',
};

const LoadingOverview = (): JSX.Element => (
  <div className="stack">
    <Panel flush>
      <LoadingKpis count={TILES} />
      <div className="chart-area">
        <Skeleton height={264} />
      </div>
    </Panel>
    <div className="columns">
      <Panel title="Top models" flush>
        <LoadingRows />
      </Panel>
      <Panel title="Recent errors" flush>
        <LoadingRows />
      </Panel>
    </div>
  </div>
);

const Nothing = ({ scope, data }: { scope: Scope; data: OverviewReply }): JSX.Element => (
  <Panel>
    <NoCalls
      scope={scope}
      icon="overview"
      deletedBefore={data.deletedBefore}
      advice={
        data.previous.totalRequests > 0
          ? `The previous period had ${numberText(data.previous.totalRequests)}. Choose a longer range or another environment.`
          : 'The first call appears here when it arrives.'
      }
    />
  </Panel>
);

function Figures({ scope, data }: { scope: Scope<'overview'>; data: OverviewReply }): JSX.Element {
  const setSearch = useSetSearch<'overview'>();
  const { search, params, every } = scope;
  const performance = useApi(performanceApi, { query: params }, { every });
  const metric = search.metric ?? 'requests';
  const kpis = toKpis(data, performance.data);
  const chosen = kpis.find(({ id }) => id === metric) ?? kpis[0];
  const { measures, shape } = CHARTS[chosen?.id ?? ''] ?? REQUESTS;
  return (
    <div className="stack">
      <AskBox />
      <Panel flush>
        <Kpis
          kpis={kpis}
          recordedSince={data.recordedSince}
          selected={chosen?.id ?? ''}
          onSelect={(id) => setSearch({ metric: id === 'requests' ? undefined : id }, { replace: true })}
        />
        <DeletedNote before={data.deletedBefore} whole={data.countedWhole} />
        <div className="chart-area">
          <MetricChart
            scope={scope}
            question={{ measures: [...measures] }}
            shape={shape}
            labelOf={(measure) => LABELS[measure] ?? chosen?.label ?? ''}
            {...(measures === REQUESTS.measures && { colours: OUTCOMES })}
            label={`${chosen?.label} over time`}
            card={{ title: chosen?.label ?? 'Calls' }}
            alert={{ measure: ALERT_MEASURES[chosen?.id ?? 'requests'] ?? 'requests' }}
          >
            <UnpricedNote count={data.kpis.unpriced} of={data.kpis.totalRequests} />
          </MetricChart>
        </div>
      </Panel>
      <div className="columns">
        <Panel
          title="Top models"
          detail="by cost"
          actions={<ProjectLink page="costs">All costs</ProjectLink>}
          flush
        >
          <TopModels models={data.topModels} total={data.kpis.totalCost} />
        </Panel>
        <Panel title="Recent errors" actions={<ProjectLink page="errors">All errors</ProjectLink>} flush>
          <RecentErrors errors={data.recentErrors} scope={scope} />
        </Panel>
      </div>
    </div>
  );
}

/** What an alert on a figure watches. */
const ALERT_MEASURES: Readonly<Record<string, ComponentProps<typeof CreateAlert>['measure']>> = {
  cost: 'cost',
  latency: 'latencyAvg',
  p95: 'latencyP95',
  errorRate: 'errorRate',
  tokens: 'outputTokens',
  cache: 'cacheRate',
};

function toKpis({ kpis, previous }: OverviewReply, performance: PerformanceReply | undefined): Kpi[] {
  const compared = previous.totalRequests > 0;
  const then = (value: number | undefined): number | undefined => (compared ? value : undefined);
  const note = compared ? {} : { note: <span className="dim">nothing before</span> };
  const missing = performance === undefined || performance.measuredCalls === 0;
  return [
    {
      id: 'requests',
      label: 'Requests',
      kind: 'count',
      value: kpis.totalRequests,
      previous: then(previous.totalRequests),
      ...note,
    },
    {
      id: 'cost',
      label: 'Cost',
      kind: 'money',
      value: kpis.totalCost,
      previous: then(previous.totalCost),
      rising: 'bad',
      missing: kpis.unpriced === kpis.totalRequests,
    },
    {
      id: 'latency',
      label: 'Average latency',
      kind: 'duration',
      value: kpis.avgLatency,
      previous: then(previous.avgLatency),
      rising: 'bad',
      missing: kpis.avgLatency === 0,
    },
    {
      id: 'p95',
      label: 'p95 latency',
      kind: 'duration',
      value: performance?.latencyPercentiles.p95 ?? 0,
      previous: then(performance?.previous.latencyPercentiles.p95),
      rising: 'bad',
      missing,
    },
    {
      id: 'errorRate',
      label: 'Error rate',
      kind: 'fraction',
      value: kpis.errorRate,
      previous: then(previous.errorRate),
      rising: 'bad',
    },
    {
      id: 'tokens',
      label: 'Tokens',
      kind: 'count',
      value: kpis.inputTokens + kpis.outputTokens,
      previous: then(previous.inputTokens + previous.outputTokens),
    },
    {
      id: 'cache',
      label: 'Cache rate',
      kind: 'fraction',
      value: kpis.cacheRate,
      previous: then(previous.cacheRate),
      rising: 'good',
      missing: kpis.inputTokens === 0,
    },
  ];
}

type Chart = { readonly measures: readonly MetricMeasure[]; readonly shape: 'bars' | 'lines' };

const REQUESTS: Chart = { measures: ['successes', 'errors'], shape: 'bars' };
/** Of measures that share a chart; one alone is called as the figure. */
const LABELS: Readonly<Record<string, string | undefined>> = {
  successes: 'Successful',
  errors: 'Failed',
  inputTokens: 'Input',
  outputTokens: 'Output',
};
const OUTCOMES = ['var(--sl-chart-1)', 'var(--sl-chart-bad)'];

/** What the chart shows, by the chosen figure. */
const CHARTS: Readonly<Record<string, Chart>> = {
  requests: REQUESTS,
  cost: { measures: ['cost'], shape: 'bars' },
  latency: { measures: ['latencyAvg'], shape: 'lines' },
  p95: { measures: ['latencyP95'], shape: 'lines' },
  errorRate: { measures: ['errorRate'], shape: 'lines' },
  tokens: { measures: ['inputTokens', 'outputTokens'], shape: 'bars' },
  cache: { measures: ['cacheRate'], shape: 'lines' },
};

type TopModel = OverviewReply['topModels'][number];

const TopModels = ({ models, total }: { models: readonly TopModel[]; total: number }): JSX.Element => {
  const columns: Column<TopModel>[] = [
    {
      id: 'model',
      header: 'Model',
      wide: true,
      value: ({ model }) => model,
      cell: ({ model }) => <ModelLink model={model} className="row-link" />,
    },
    {
      id: 'requests',
      header: 'Calls',
      align: 'right',
      value: ({ requests }) => requests,
      cell: ({ requests }) => numberText(requests),
    },
    {
      id: 'cost',
      header: 'Cost',
      align: 'right',
      value: ({ cost }) => cost,
      amount: ({ cost }) => cost,
      cell: ({ cost, unpriced, requests }, write) => (
        <Money usd={cost} unpriced={unpriced} calls={requests} write={write} />
      ),
    },
    { id: 'share', header: 'Share', cell: ({ cost }) => <ShareBar part={cost} whole={total} /> },
    {
      id: 'alert',
      header: '',
      cell: ({ model }) => <CreateAlert measure="cost" only={['model', model]} of={model} />,
    },
  ];
  return (
    <DataTable
      label="Top models"
      columns={columns}
      rows={models}
      rowKey={({ model }) => model}
      sort={{ id: 'cost', desc: true }}
    />
  );
};

type RecentError = OverviewReply['recentErrors'][number];

function RecentErrors({
  errors,
  scope,
}: {
  errors: readonly RecentError[];
  scope: Scope<'overview'>;
}): JSX.Element {
  if (errors.length === 0) return <Notice icon="check" title="No failed calls in this time" />;
  const columns: Column<RecentError>[] = [
    {
      id: 'time',
      header: 'Time',
      cell: ({ timestamp, event_id }) => (
        <ProjectLink page="events" search={{ event: event_id, at: timestamp }} className="row-link">
          {timeText.minute(timestamp, scope.zone)}
        </ProjectLink>
      ),
    },
    {
      id: 'code',
      header: 'Code',
      wide: true,
      cell: ({ error_code }) => error_code ?? <span className="dim">–</span>,
    },
    { id: 'model', header: 'Model', cell: ({ model }) => model ?? 'unknown' },
    { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  ];
  return (
    <DataTable label="Recent errors" columns={columns} rows={errors} rowKey={({ event_id }) => event_id} />
  );
}
