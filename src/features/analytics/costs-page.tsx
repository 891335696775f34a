import { SegmentedControl, Skeleton } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../dashboard/api.ts';
import { type Scope, useScope, useSetSearch } from '../../dashboard/scope.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { type Kpi, Kpis, LoadingKpis } from '../../dashboard/ui/kpis.tsx';
import { Money, ShareBar } from '../../dashboard/ui/marks.tsx';
import { Page, Panel } from '../../dashboard/ui/page.tsx';
import { ProjectLink } from '../../dashboard/ui/project-link.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { compactText, moneyText, numberText, percentText } from '../../lib/figures.ts';
import type { COST_DIMENSIONS, CostBreakdown, CostsReply } from './contract.ts';
import { CostTrend } from './cost-trend.tsx';

type By = (typeof COST_DIMENSIONS)[number];
const DIMENSIONS: Readonly<Record<By, { label: string; plural: string }>> = {
  model: { label: 'Model', plural: 'Models' },
  provider: { label: 'Provider', plural: 'Providers' },
  environment: { label: 'Environment', plural: 'Environments' },
};
const isBy = (name: string | undefined): name is By => name !== undefined && name in DIMENSIONS;

/** What the calls cost: in all, over time, and by what. */
export function CostsPage(): JSX.Element {
  const scope = useScope();
  const by = isBy(scope.search.by) ? scope.search.by : 'model';
  const costs = useApi<CostsReply>('/v1/costs', scope.params, { every: scope.every });
  const breakdown = useApi<CostBreakdown>(
    '/v1/costs/breakdown',
    { ...scope.params, by },
    { every: scope.every },
  );
  return (
    <Page title="Costs">
      <div className="stack">
        <Panel flush>
          <Loaded of={costs} loading={<LoadingKpis count={6} />}>
            {(data) => <Kpis kpis={toKpis(data)} />}
          </Loaded>
          <div className="chart-area">
            <Loaded of={breakdown} loading={<Skeleton height={290} />}>
              {(data) => <CostTrend breakdown={data} control={<ByControl by={by} />} />}
            </Loaded>
          </div>
        </Panel>
        <Loaded of={costs} loading={null}>
          {(data) => <Unpriced costs={data} />}
        </Loaded>
        <Panel title={DIMENSIONS[by].plural} flush>
          <Loaded of={breakdown} loading={<LoadingRows rows={8} />}>
            {(data) => <Groups breakdown={data} scope={scope} />}
          </Loaded>
        </Panel>
      </div>
    </Page>
  );
}

function ByControl({ by }: { by: By }): JSX.Element {
  const setSearch = useSetSearch();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Split by"
      value={by}
      onChange={(value) => setSearch({ by: value === 'model' ? undefined : value }, { replace: true })}
      data={Object.entries(DIMENSIONS).map(([value, { label }]) => ({ value, label }))}
    />
  );
}

function toKpis(costs: CostsReply): Kpi[] {
  const { total, previousTotal, calls, unpriced, mtdTotal, mtdUnpriced, forecast30d, cacheRate, tokens } =
    costs;
  const dim = (text: string): JSX.Element => <span className="dim">{text}</span>;
  const priced = calls - unpriced;
  return [
    { id: 'total', label: 'Cost', kind: 'money', value: total, previous: previousTotal, rising: 'bad' },
    {
      id: 'mtd',
      label: 'Month to date',
      kind: 'money',
      value: mtdTotal,
      note: dim(mtdUnpriced > 0 ? `${numberText(mtdUnpriced)} calls unpriced` : 'since the 1st, in UTC'),
    },
    {
      id: 'forecast',
      label: 'Next 30 days',
      kind: 'money',
      value: forecast30d,
      note: dim('line through the last 30'),
    },
    {
      id: 'call',
      label: 'Per priced call',
      kind: 'money',
      value: priced === 0 ? 0 : total / priced,
      missing: priced === 0,
      note: dim(`${numberText(calls)} calls`),
    },
    {
      id: 'cache',
      label: 'Cache rate',
      kind: 'fraction',
      value: cacheRate,
      note: dim(`${compactText(tokens.cacheRead)} of ${compactText(tokens.input)} tokens`),
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

/** Models without a price: their calls are in no figure above. */
function Unpriced({ costs }: { costs: CostsReply }): JSX.Element | null {
  if (costs.unpricedModels.length === 0) return null;
  type Row = CostsReply['unpricedModels'][number];
  const columns: Column<Row>[] = [
    {
      id: 'model',
      header: 'Model',
      wide: true,
      value: ({ model }) => model,
      cell: ({ model, provider }) => (
        <ProjectLink page="events" search={{ model, provider: provider ?? undefined }}>
          {model}
        </ProjectLink>
      ),
    },
    {
      id: 'provider',
      header: 'Provider',
      value: ({ provider }) => provider ?? '',
      cell: ({ provider }) => provider ?? '–',
    },
    {
      id: 'calls',
      header: 'Calls',
      align: 'right',
      value: ({ calls }) => calls,
      cell: ({ calls }) => numberText(calls),
    },
    {
      id: 'tokens',
      header: 'Tokens',
      align: 'right',
      value: ({ tokens }) => tokens,
      cell: ({ tokens }) => compactText(tokens),
    },
  ];
  return (
    <Panel
      title="Without a price"
      detail={`${numberText(costs.unpriced)} of ${numberText(costs.calls)} calls are in no cost`}
      actions={<ProjectLink page="prices">Set prices</ProjectLink>}
      flush
    >
      <DataTable
        label="Models without a price"
        columns={columns}
        rows={costs.unpricedModels}
        rowKey={({ provider, model }) => `${provider} ${model}`}
        sort={{ id: 'calls', desc: true }}
      />
    </Panel>
  );
}

type Group = CostBreakdown['groups'][number];

function Groups({ breakdown, scope }: { breakdown: CostBreakdown; scope: Scope }): JSX.Element {
  const { groups } = breakdown;
  const by = breakdown.by as By;
  if (groups.length === 0)
    return (
      <Notice icon="costs" title="No calls in this time">
        Choose a longer range{scope.search.environment === undefined ? '' : ', or another environment'}.
      </Notice>
    );
  const total = groups.reduce((sum, { cost }) => sum + cost, 0);
  const columns: Column<Group>[] = [
    {
      id: 'value',
      header: DIMENSIONS[by].label,
      wide: true,
      value: ({ value }) => value,
      cell: ({ value }) => (
        <ProjectLink page="events" search={{ [by]: value }} title={value}>
          {value}
        </ProjectLink>
      ),
    },
    {
      id: 'calls',
      header: 'Calls',
      align: 'right',
      value: ({ calls }) => calls,
      cell: ({ calls }) => numberText(calls),
    },
    {
      id: 'cost',
      header: 'Cost',
      align: 'right',
      value: ({ cost }) => cost,
      cell: ({ cost, unpriced, calls }) => <Money usd={cost} unpriced={unpriced} calls={calls} />,
    },
    {
      id: 'share',
      header: 'Share',
      value: ({ cost }) => cost,
      cell: ({ cost }) => <ShareBar part={cost} whole={total} />,
    },
    {
      id: 'avg',
      header: 'Per call',
      align: 'right',
      value: (row) => perCall(row) ?? -1,
      cell: (row) => {
        const usd = perCall(row);
        return usd === null ? <span className="dim">–</span> : moneyText(usd);
      },
    },
    {
      id: 'input',
      header: 'Input',
      align: 'right',
      value: ({ inputTokens }) => inputTokens,
      cell: ({ inputTokens }) => compactText(inputTokens),
    },
    {
      id: 'output',
      header: 'Output',
      align: 'right',
      value: ({ outputTokens }) => outputTokens,
      cell: ({ outputTokens }) => compactText(outputTokens),
    },
    {
      id: 'cache',
      header: 'Cached',
      align: 'right',
      value: ({ cacheRate }) => cacheRate,
      cell: ({ cacheRate }) => percentText(cacheRate),
    },
  ];
  return (
    <DataTable
      key={by}
      label={`Cost by ${by}`}
      columns={columns}
      rows={groups}
      rowKey={({ value }) => value}
      sort={{ id: 'cost', desc: true }}
    />
  );
}

/** Dollars over the calls that have a price; null where none has. */
const perCall = ({ cost, calls, unpriced }: Group): number | null =>
  calls === unpriced ? null : cost / (calls - unpriced);
