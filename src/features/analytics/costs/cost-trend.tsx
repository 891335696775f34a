import type { JSX, ReactNode } from 'react';
import type { MetricDimension } from '../../../core/events/query/contract.ts';
import { EventChart } from '../../../core/events/widgets/event-chart.tsx';
import { MetricChart } from '../../../core/events/widgets/metric-chart.tsx';
import { byGroup } from '../../../dashboard/shell/metrics/by-group.ts';
import { dimensionOf } from '../../../dashboard/shell/metrics/dimension-names.ts';
import type { MetricsChart } from '../../../dashboard/shell/metrics/to-chart.ts';
import type { Scope } from '../../../dashboard/shell/scope/scope.ts';
import type { ChartPoint, Series } from '../../../dashboard/ui/charts/chart-data.ts';
import { COLOURS, REST_COLOUR } from '../../../dashboard/ui/charts/colours.ts';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { countText } from '../../../lib/figures.ts';
import type { CostBreakdown } from '../contract.ts';
import { NoCalls } from '../no-calls.tsx';
import { alertFieldOf, metricDimensionOf, nameOf, wordsOf } from './cost-dimensions.tsx';
import { EXPECTED, type Expected, withForecast } from './cost-forecast.tsx';

type Props = {
  readonly scope: Scope;
  readonly breakdown: CostBreakdown;
  /** What today and the days after it will still cost; empty for a range that does not end now. */
  readonly expected: Expected;
  readonly control: ReactNode;
};

const EXPECTED_COLOUR = 'color-mix(in srgb, var(--sl-chart-rest) 35%, var(--sl-panel))';

/** Cost over time as a stack of the dearest, and of all others together; then what is expected. */
export function CostTrend(props: Props): JSX.Element {
  const { scope, breakdown, expected, control } = props;
  const { by, groups } = breakdown;
  if (groups.every(({ cost }) => cost === 0))
    return (
      <>
        {control}
        {groups.length === 0 ? (
          <NoCalls scope={scope} icon="costs" deletedBefore={breakdown.deletedBefore} />
        ) : (
          <Notice icon="costs" title="No costs in this time">
            The calls are below; none of them has an amount.
          </Notice>
        )}
      </>
    );
  const dimension = metricDimensionOf(by);
  const names = new Map(groups.map((group) => [group.value, nameOf(by, group)]));
  const label = wordsOf(by).label;
  return (
    <MetricChart
      scope={scope}
      question={
        dimension === null
          ? { measures: ['cost'], bucket: '1d' }
          : { measures: ['cost'], groupBy: [dimension], limit: COLOURS.length }
      }
      shape="bars"
      labelOf={() => 'Cost'}
      {...(dimension !== null && {
        drawer: byGroup,
        nameOf: (key: Readonly<Record<string, string | null>>) => namedBy(dimension, names, key),
      })}
      extend={(chart) => forecast(chart, expected, scope)}
      drill={(point) => (Date.parse(point.time) > Date.now() ? null : {})}
      label={`Cost by ${label} over time`}
      card={{ title: dimension === null ? 'Cost' : `Cost by ${label.toLowerCase()}` }}
      alert={{ measure: 'cost', groupBy: alertFieldOf(by)?.groupBy }}
      instead={() => <ByUtcDay {...props} />}
    >
      {control}
    </MetricChart>
  );
}

function namedBy(
  dimension: MetricDimension,
  names: ReadonlyMap<string, string>,
  key: Readonly<Record<string, string | null>>,
): string {
  const value = key[dimension] ?? null;
  return value === null ? dimensionOf(dimension).none : (names.get(value) ?? value);
}

/** A chart of days goes on with what is expected. */
function forecast(chart: MetricsChart, expected: Expected, { zone }: Pick<Scope, 'zone'>): MetricsChart {
  if (chart.bucket !== '1d' || expected.length === 0) return chart;
  return {
    ...chart,
    series: [...chart.series, { name: EXPECTED, label: 'Forecast', color: EXPECTED_COLOUR }],
    points: withForecast(chart.points, expected, { zone, now: Date.now() }),
  };
}

/**
 * The chart of the table's figures, where the calls are too many to be read by the person's days: users, keys and tags
 * have sums by UTC day.
 */
function ByUtcDay({ breakdown, control }: Props): JSX.Element {
  const { by, bucket } = breakdown;
  return (
    <EventChart
      {...stacked(breakdown)}
      kind="money"
      bucket={bucket}
      shape="bars"
      label={`Cost by ${wordsOf(by).label} over time`}
      alert={{ measure: 'cost', groupBy: alertFieldOf(by)?.groupBy }}
    >
      {control}
    </EventChart>
  );
}

type Stack = { readonly series: Series[]; readonly points: ChartPoint[] };

function stacked({ by, times, groups }: CostBreakdown): Stack {
  const costly = groups.filter(({ cost }) => cost > 0);
  const single = costly.filter(({ none, others }) => !none && others === undefined);
  const named = costly.length <= COLOURS.length ? costly : single.slice(0, COLOURS.length - 1);
  const others = costly.filter((group) => !named.includes(group));
  const count = others.reduce((sum, group) => sum + (group.others ?? 1), 0);
  const series = named.map((group, place) => ({
    name: `g${place}`,
    label: nameOf(by, group),
    color: COLOURS[place] ?? REST_COLOUR,
  }));
  const points = times.map((time, at): ChartPoint => {
    const values = named.map(({ costs }, place) => [`g${place}`, costs[at] ?? 0] as const);
    const rest = others.reduce((sum, { costs }) => sum + (costs[at] ?? 0), 0);
    return { time, ...Object.fromEntries(values), ...(others.length === 0 ? {} : { rest }) };
  });
  if (others.length > 0) series.push({ name: 'rest', label: countText(count, 'other'), color: REST_COLOUR });
  return { series, points };
}
