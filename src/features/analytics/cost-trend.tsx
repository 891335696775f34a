import type { JSX, ReactNode } from 'react';
import { Notice } from '../../dashboard/ui/states.tsx';
import {
  ChartOrTable,
  type ChartPoint,
  COLOURS,
  Legend,
  REST_COLOUR,
  type Series,
} from '../../dashboard/ui/time-chart.tsx';
import type { CostBreakdown } from './contract.ts';

/** Cost over time as a stack of the dearest, and of all others together. */
export function CostTrend({
  breakdown,
  control,
}: {
  breakdown: CostBreakdown;
  control: ReactNode;
}): JSX.Element {
  const { by, bucket, times, groups } = breakdown;
  const costly = groups.filter(({ cost }) => cost > 0);
  const named = costly.length <= COLOURS.length ? costly : costly.slice(0, COLOURS.length - 1);
  const others = costly.slice(named.length);
  const series: Series[] = [
    ...named.map(({ value }, place) => ({
      name: `g${place}`,
      label: value,
      color: COLOURS[place] ?? REST_COLOUR,
    })),
    ...(others.length === 0 ? [] : [{ name: 'rest', label: `${others.length} others`, color: REST_COLOUR }]),
  ];
  if (costly.length === 0)
    return (
      <>
        {control}
        <Notice icon="costs" title="No costs in this time" />
      </>
    );
  const points = times.map((time, at): ChartPoint => {
    const values = named.map(({ costs }, place) => [`g${place}`, costs[at] ?? 0] as const);
    const rest = others.reduce((sum, { costs }) => sum + (costs[at] ?? 0), 0);
    return { time, ...Object.fromEntries(values), ...(others.length === 0 ? {} : { rest }) };
  });
  return (
    <>
      <ChartOrTable
        points={points}
        series={series}
        kind="money"
        bucket={bucket}
        shape="bars"
        label={`Cost by ${by} over time`}
      >
        {control}
      </ChartOrTable>
      <Legend series={series} />
    </>
  );
}
