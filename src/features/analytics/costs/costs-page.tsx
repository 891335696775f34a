import { Skeleton } from '@mantine/core';
import { type JSX, lazy, type ReactNode, Suspense } from 'react';
import { DeletedNote } from '../../../core/events/widgets/deleted-note.tsx';
import { ExplainLink } from '../../../core/root-cause/explain-link.tsx';
import { ViewMenu } from '../../../core/views/view-menu.tsx';
import { useApi } from '../../../dashboard/shell/api.ts';
import { CostTabs } from '../../../dashboard/shell/cost-tabs.tsx';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { useScope } from '../../../dashboard/shell/scope/scope.ts';
import { useTags } from '../../../dashboard/shell/scope/use-tags.ts';
import { type Kpi, Kpis, LoadingKpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { compactText, countText, numberText } from '../../../lib/figures.ts';
import type { CostsReply, costBreakdownEndpoint, costsEndpoint } from '../contract.ts';
import { AcrossControl, acrossOf } from './across-control.tsx';
import { ByControl, byOf, byParam, wordsOf } from './cost-dimensions.tsx';
import { CostGroups } from './cost-groups.tsx';
import { CostTrend } from './cost-trend.tsx';
import { UnpricedModels } from './unpriced-models.tsx';
import { useDays } from './use-days.tsx';

const CostMatrix = lazy(async () => ({ default: (await import('./cost-matrix.tsx')).CostMatrix }));
const costsApi = endpointOf<typeof costsEndpoint>('GET /v1/costs');
const costBreakdownApi = endpointOf<typeof costBreakdownEndpoint>('GET /v1/costs/breakdown');

/** What calls cost: in total, over time, and by a dimension. */
export function CostsPage(): JSX.Element {
  const scope = useScope('costs');
  const by = byOf(scope.search);
  const costs = useApi(costsApi, { query: scope.params }, { every: scope.every });
  const seen = useTags(scope.params, { enabled: by.dimension === 'tag' || costs.data !== undefined });
  const tags = seen.data?.tags;
  const param = byParam(by, tags);
  const breakdown = useApi(
    costBreakdownApi,
    { query: { ...scope.params, by: param ?? undefined } },
    { every: scope.every, enabled: param !== null && param !== 'day' },
  );
  const days = useDays(scope, { enabled: param === 'day' });
  const asked = param === 'day' ? days : breakdown;
  const across = acrossOf(scope.search, param);
  const control = <ByControl by={by} param={param} tags={tags} />;
  const wait = param === null ? <NoTag of={seen} /> : null;
  return (
    <Page
      title="Costs"
      tabs={<CostTabs />}
      filtered={scope}
      views={<ViewMenu scope={scope} page="costs" />}
      actions={<ExplainLink measure="cost" />}
    >
      <div className="stack">
        <Panel flush>
          <Loaded of={costs} loading={<LoadingKpis count={7} />}>
            {(data) => (
              <>
                <Kpis kpis={toKpis(data)} recordedSince={data.recordedSince} />
                <UnpricedModels costs={data} />
                {data.deletedBefore === undefined && param !== null ? (
                  <DeletedNote
                    before={asked.data?.deletedBefore}
                    whole={data.countedWhole}
                    of={`Figures by ${wordsOf(param).label.toLowerCase()}`}
                  />
                ) : (
                  <DeletedNote before={data.deletedBefore} whole={data.countedWhole} />
                )}
              </>
            )}
          </Loaded>
          <div className="chart-area">
            {wait === null ? (
              <Loaded of={asked} loading={<Loading control={control} />}>
                {(data) => (
                  <CostTrend
                    scope={scope}
                    breakdown={data}
                    expected={scope.range.to === null ? (costs.data?.monthEnd?.days ?? []) : []}
                    control={control}
                  />
                )}
              </Loaded>
            ) : (
              <>
                {control}
                {wait}
              </>
            )}
          </div>
        </Panel>
        {wait === null && param !== null && asked.data?.groups.length !== 0 && (
          <Panel
            title={
              across === null
                ? wordsOf(param).plural
                : `${wordsOf(param).plural} by ${wordsOf(across).label.toLowerCase()}`
            }
            actions={param !== 'day' && <AcrossControl by={param} across={across} />}
            flush
          >
            {across !== null ? (
              <Suspense fallback={<LoadingRows rows={8} />}>
                <CostMatrix scope={scope} by={param} across={across} />
              </Suspense>
            ) : (
              <Loaded of={asked} loading={<LoadingRows rows={8} />}>
                {(data) => <CostGroups key={data.by} breakdown={data} scope={scope} />}
              </Loaded>
            )}
          </Panel>
        )}
      </div>
    </Page>
  );
}

const Loading = ({ control }: { control: ReactNode }): JSX.Element => (
  <>
    {control}
    <Skeleton height={262} />
  </>
);

/** Shown while no tag is known: they are loading, that failed, or there are none. */
const NoTag = ({ of }: { of: ReturnType<typeof useTags> }): JSX.Element => (
  <Loaded of={of} loading={<Skeleton height={262} />}>
    {() => (
      <Notice icon="costs" title="No tags in this time">
        Send tags such as team or feature with your events to split costs by them.
      </Notice>
    )}
  </Loaded>
);

function toKpis(costs: CostsReply): Kpi[] {
  const { total, previousTotal, calls, unpriced, mtdTotal, mtdUnpriced, monthEnd, forecast30d } = costs;
  const { cacheRate, tokens, forecastDays } = costs;
  const dim = (text: string): JSX.Element => <span className="dim">{text}</span>;
  const priced = calls - unpriced;
  return [
    {
      id: 'total',
      label: 'Cost',
      kind: 'money',
      value: total,
      previous: previousTotal,
      rising: 'bad',
      missing: calls > 0 && priced === 0,
    },
    {
      id: 'mtd',
      label: 'Month to date',
      kind: 'money',
      value: mtdTotal,
      note: dim(`since the 1st, UTC${mtdUnpriced > 0 ? ` · ${numberText(mtdUnpriced)} unpriced` : ''}`),
    },
    {
      id: 'month-end',
      label: 'End of month',
      kind: 'money',
      value: monthEnd?.total ?? 0,
      missing: monthEnd === null,
      note: dim(monthEnd === null ? 'available tomorrow' : 'forecast, UTC'),
    },
    {
      id: 'forecast',
      label: 'Next 30 days',
      kind: 'money',
      value: forecast30d,
      missing: monthEnd === null,
      note: dim(
        monthEnd === null
          ? 'available tomorrow'
          : forecast30d === 0 && mtdTotal > 0
            ? 'the trend falls to 0'
            : forecastDays === 1
              ? 'from one full day'
              : `from last ${forecastDays} full days`,
      ),
    },
    {
      id: 'call',
      label: 'Per priced call',
      kind: 'money',
      value: priced === 0 ? 0 : total / priced,
      missing: priced === 0,
      note: dim(countText(priced, 'priced call')),
    },
    {
      id: 'cache',
      label: 'Cache rate',
      kind: 'fraction',
      value: cacheRate,
      missing: tokens.input === 0,
      note: dim(`${compactText(tokens.cacheRead)} of ${compactText(tokens.input)}`),
    },
    {
      id: 'tokens',
      label: 'Tokens',
      kind: 'count',
      value: tokens.input + tokens.output,
      note: dim(`${compactText(tokens.input)} in, ${compactText(tokens.output)} out`),
    },
  ];
}
