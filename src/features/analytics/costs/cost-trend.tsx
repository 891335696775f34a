import type { JSX, ReactNode } from 'react';
import { EventChart } from '../../../core/events/widgets/event-chart.tsx';
import type { Scope } from '../../../dashboard/shell/scope/scope.ts';
import { COLOURS, REST_COLOUR } from '../../../dashboard/ui/charts/time-chart.tsx';
import type { ChartPoint, Series } from '../../../dashboard/ui/charts/time-series.ts';
import { Notice } from '../../../dashboard/ui/states.tsx';
import type { CostBreakdown, CostsReply } from '../contract.ts';
import { NoCalls } from '../no-calls.tsx';
import { alertFieldOf, nameOf, wordsOf } from './cost-dimensions.tsx';

type Expected = NonNullable<CostsReply['monthEnd']>['days'];
type Props = {
  readonly scope: Scope;
  readonly breakdown: CostBreakdown;
  /** What today and the days after it will still cost; empty for a range that does not end now. */
  readonly expected: Expected;
  readonly control: ReactNode;
};

const EXPECTED = 'expected';
const EXPECTED_COLOUR = 'color-mix(in srgb, var(--sl-chart-rest) 35%, var(--sl-panel))';

/** Cost over time as a stack of the dearest, and of all others together; then what is expected. */
export function CostTrend({ scope, breakdown, expected, control }: Props): JSX.Element {
  const { by, bucket, times } = breakdown;
  const { series, points } = by === 'day' ? wholeDays(breakdown) : stacked(breakdown);
  if (series.length === 0)
    return (
      <>
        {control}
        {breakdown.groups.length === 0 ? (
          <NoCalls scope={scope} icon="costs" />
        ) : (
          <Notice icon="costs" title="No costs in this time">
            The calls are below; none of them has an amount.
          </Notice>
        )}
      </>
    );
  const ahead = bucket === 'day' ? daysAhead(times, expected) : new Map<string, number>();
  const past = new Set(times);
  const shown = [
    ...points.map((point): ChartPoint => ({ ...point, ...expectedAt(ahead, point.time) })),
    ...[...ahead.keys()]
      .filter((time) => !past.has(time))
      .map((time) => ({ time, ...expectedAt(ahead, time) })),
  ];
  const allSeries =
    ahead.size === 0 ? series : [...series, { name: EXPECTED, label: 'Forecast', color: EXPECTED_COLOUR }];
  return (
    <EventChart
      points={shown}
      series={allSeries}
      kind="money"
      bucket={bucket}
      shape="bars"
      drill={({ time }) => (past.has(time) ? {} : null)}
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
  if (others.length > 0) series.push({ name: 'rest', label: `${count} others`, color: REST_COLOUR });
  return { series, points };
}

/** Days that are told apart are a chart already. */
function wholeDays({ times, groups }: CostBreakdown): Stack {
  const [color = REST_COLOUR] = COLOURS;
  return {
    series: groups.some(({ cost }) => cost > 0) ? [{ name: 'cost', label: 'Cost', color }] : [],
    points: times.map((time, at) => ({
      time,
      cost: groups.reduce((sum, { costs }) => sum + (costs[at] ?? 0), 0),
    })),
  };
}

/** As many days ahead as half of those behind, so that what happened stays the larger part. */
function daysAhead(times: readonly string[], expected: Expected): Map<string, number> {
  const days = expected.slice(0, 1 + Math.ceil(times.length / 2));
  return new Map(days.map(({ date, cost }) => [`${date}T00:00:00.000Z`, cost]));
}

const expectedAt = (ahead: ReadonlyMap<string, number>, time: string): Record<string, number> => {
  const cost = ahead.get(time);
  return cost === undefined ? {} : { [EXPECTED]: cost };
};
