import { SegmentedControl, Skeleton } from '@mantine/core';
import { type ComponentProps, type JSX, lazy, Suspense } from 'react';
import type { MetricMeasure } from '../../../core/events/query/contract.ts';
import { DeletedNote } from '../../../core/events/widgets/deleted-note.tsx';
import { MetricChart } from '../../../core/events/widgets/metric-chart.tsx';
import { ModelLink } from '../../../core/events/widgets/model-link.tsx';
import { ExplainLink } from '../../../core/root-cause/explain-link.tsx';
import { ViewMenu } from '../../../core/views/view-menu.tsx';
import { CreateAlert } from '../../../dashboard/shell/alerts/create-alert.tsx';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { measureLabel } from '../../../dashboard/shell/metrics/names.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { type Scope, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { isOneOf } from '../../../dashboard/shell/scope/search.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { type Kpi, Kpis, LoadingKpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Failure, Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { countText, durationText, numberText, percentText } from '../../../lib/figures.ts';
import { NoCalls } from '../no-calls.tsx';
import type {
  PerformanceModels,
  PerformanceReply,
  performanceEndpoint,
  performanceModelsEndpoint,
} from './contract.ts';

const performanceApi = endpointOf<typeof performanceEndpoint>('GET /v1/performance');
const Distribution = lazy(async () => ({ default: (await import('./distribution.tsx')).Distribution }));
const performanceModelsApi = endpointOf<typeof performanceModelsEndpoint>('GET /v1/performance/models');

/** How fast the calls are: percentiles, first token, speed; over time and by model. */
export function PerformancePage(): JSX.Element {
  const scope = useScope('performance');
  const { params, every } = scope;
  const performance = useApi(performanceApi, { query: params }, { every });
  const models = useApi(performanceModelsApi, { query: params }, { every });
  // Once for the page: its parts would all say the same.
  if (performance.error !== null && performance.data === undefined)
    return (
      <Page title="Performance" filtered={scope} views={<ViewMenu scope={scope} page="performance" />}>
        <Failure
          error={performance.error}
          retry={() => void [performance, models].map((part) => part.refetch())}
        />
      </Page>
    );
  if (performance.data?.calls === 0)
    return (
      <Page title="Performance" filtered={scope} views={<ViewMenu scope={scope} page="performance" />}>
        <Panel>
          <NoCalls scope={scope} icon="performance" deletedBefore={performance.data.deletedBefore} />
        </Panel>
      </Page>
    );
  return (
    <Page
      title="Performance"
      filtered={scope}
      views={<ViewMenu scope={scope} page="performance" />}
      actions={<ExplainLink measure="latencyP95" />}
    >
      <div className="stack">
        <Panel flush>
          <Loaded of={performance} loading={<LoadingKpis count={6} />}>
            {(data) => (
              <>
                <Kpis kpis={toKpis(data)} />
                <DeletedNote before={data.deletedBefore} whole={data.countedWhole} />
              </>
            )}
          </Loaded>
          <div className="chart-area">
            <Over scope={scope} />
          </div>
        </Panel>
        <Suspense fallback={<Skeleton height={360} />}>
          <Distribution scope={scope} />
        </Suspense>
        <Panel title="Models" flush>
          <Loaded of={models} loading={<LoadingRows rows={8} />}>
            {({ models, otherModels }) => (
              <>
                <Models models={models} />
                {otherModels !== undefined && (
                  <p className="panel-note dim">
                    These are the {numberText(models.length)} most called models;{' '}
                    {countText(otherModels, 'other')} are not listed.
                  </p>
                )}
              </>
            )}
          </Loaded>
        </Panel>
      </div>
    </Page>
  );
}

function toKpis(data: PerformanceReply): Kpi[] {
  const { latencyPercentiles: now, avgTtft, tokensPerSec, timeoutRate, measuredCalls, calls } = data;
  const then = data.previous.calls === 0 ? undefined : data.previous;
  const latency = (id: 'p50' | 'p95' | 'p99', label: string): Kpi => ({
    id,
    label,
    kind: 'duration',
    value: now[id],
    previous: then?.latencyPercentiles[id],
    rising: 'bad',
    missing: measuredCalls === 0,
  });
  return [
    latency('p50', 'Median latency'),
    latency('p95', 'p95 latency'),
    latency('p99', 'p99 latency'),
    {
      id: 'ttft',
      label: 'First token',
      kind: 'duration',
      value: avgTtft,
      previous: then?.avgTtft,
      rising: 'bad',
      missing: avgTtft === 0,
    },
    {
      id: 'speed',
      label: 'Output tokens/s',
      kind: 'count',
      value: Math.round(tokensPerSec * 10) / 10,
      previous: then?.tokensPerSec,
      rising: 'good',
      missing: tokensPerSec === 0,
    },
    {
      id: 'timeouts',
      label: 'Timeouts',
      kind: 'fraction',
      value: timeoutRate,
      previous: then?.timeoutRate,
      rising: 'bad',
      missing: calls === 0,
    },
  ];
}

type View = {
  readonly label: string;
  readonly measures: readonly MetricMeasure[];
  /** What an alert on it watches. */
  readonly alert?: ComponentProps<typeof CreateAlert>['measure'];
};

const VIEWS: Readonly<Record<string, View>> = {
  latency: {
    label: 'Latency',
    measures: ['latencyP50', 'latencyP95', 'latencyP99'],
    alert: 'latencyP95',
  },
  ttft: { label: 'First token', measures: ['ttftAvg'], alert: 'ttftP95' },
  speed: { label: 'Speed', measures: ['tokensPerSec'] },
};
/** The median is the quiet one. */
const PERCENTILES = ['var(--sl-chart-rest)', 'var(--sl-chart-1)', 'var(--sl-chart-3)'];

function Over({ scope }: { scope: Scope<'performance'> }): JSX.Element | null {
  const setSearch = useSetSearch<'performance'>();
  const name = isOneOf(scope.search.metric, VIEWS) ? scope.search.metric : 'latency';
  const view = VIEWS[name];
  if (view === undefined) return null;
  return (
    <MetricChart
      scope={scope}
      question={{ measures: [...view.measures] }}
      shape="lines"
      labelOf={measureLabel}
      {...(view.measures.length > 1 && { colours: PERCENTILES })}
      label={`${view.label} over time`}
      card={{ title: view.label }}
      alert={view.alert === undefined ? undefined : { measure: view.alert }}
    >
      <SegmentedControl
        size="xs"
        aria-label="Figure"
        value={name}
        onChange={(value) =>
          setSearch({ metric: value === 'latency' ? undefined : value }, { replace: true })
        }
        data={Object.entries(VIEWS).map(([value, { label }]) => ({ value, label }))}
      />
    </MetricChart>
  );
}

type Model = PerformanceModels['models'][number];

const time = (id: string, header: string, of: (row: Model) => number): Column<Model> => ({
  id,
  header,
  align: 'right',
  value: of,
  // Zero stands for nothing measured.
  csv: { header: `${id}_ms`, value: (row) => of(row) || null },
  cell: (row) => (of(row) === 0 ? <span className="dim">–</span> : durationText(of(row))),
});
const rate = (id: string, header: string, of: (row: Model) => number): Column<Model> => ({
  id,
  header,
  align: 'right',
  value: of,
  csv: { header: `${id}_rate`, value: of },
  cell: (row) => <span className={of(row) === 0 ? 'dim' : undefined}>{percentText(of(row))}</span>,
});

const COLUMNS: readonly Column<Model>[] = [
  {
    id: 'model',
    header: 'Model',
    wide: true,
    value: ({ model }) => model,
    csv: { header: 'model', value: ({ model }) => model },
    cell: ({ model }) => <ModelLink model={model} className="row-link" />,
  },
  {
    id: 'calls',
    header: 'Calls',
    align: 'right',
    value: ({ calls }) => calls,
    csv: { header: 'calls', value: ({ calls }) => calls },
    cell: ({ calls }) => numberText(calls),
  },
  time('p50', 'Median', ({ p50 }) => p50),
  time('p90', 'p90', ({ p90 }) => p90),
  time('p95', 'p95', ({ p95 }) => p95),
  time('p99', 'p99', ({ p99 }) => p99),
  time('ttft', 'First token', ({ avgTtft }) => avgTtft),
  {
    id: 'speed',
    header: 'Tokens/s',
    align: 'right',
    value: ({ tokensPerSec }) => tokensPerSec,
    csv: { header: 'tokens_per_second', value: ({ tokensPerSec }) => tokensPerSec || null },
    cell: ({ tokensPerSec }) =>
      tokensPerSec === 0 ? <span className="dim">–</span> : tokensPerSec.toFixed(1),
  },
  rate('timeouts', 'Timeouts', ({ timeoutRate }) => timeoutRate),
  rate('errors', 'Failed', ({ errorRate }) => errorRate),
  {
    id: 'alert',
    header: '',
    cell: ({ model }) => <CreateAlert measure="latencyP95" only={['model', model]} of={model} />,
  },
];

const Models = ({ models }: { models: readonly Model[] }): JSX.Element => (
  <DataTable
    label="Performance by model"
    columns={COLUMNS}
    rows={models}
    rowKey={({ model }) => model}
    sort={{ id: 'calls', desc: true }}
    csv="performance-by-model"
  />
);
