import { BarChart, LineChart } from '@mantine/charts';
import type { JSX } from 'react';
import { FIGURES, timeText, type Zone } from '../format.ts';
import { bucketText, type ChartPoint, type ChartProps, type Series } from './time-chart.tsx';

type PlotProps = ChartProps & { readonly zone: Zone; readonly onOpen: (point: ChartPoint) => void };

/** The drawing itself; its library is fetched when the first chart is shown. */
export function Plot({
  points,
  series,
  kind,
  bucket,
  shape,
  height,
  drill,
  zone,
  onOpen,
}: PlotProps): JSX.Element {
  const figures = FIGURES[kind];
  const tick = (time: string): string =>
    bucket === 'day' ? timeText.day(time, 'utc') : timeText.clock(time, zone);
  const openAt = (state: { activeTooltipIndex?: number | string | null | undefined }): void => {
    const point = points[Number(state.activeTooltipIndex ?? Number.NaN)];
    if (point !== undefined && drill !== null) onOpen(point);
  };
  const common = {
    h: height ?? 240,
    data: [...points],
    dataKey: 'time',
    series: series.map(({ name, label, color }) => ({ name, label, color })),
    gridAxis: 'x',
    tickLine: 'none',
    strokeDasharray: '0',
    gridColor: 'var(--sl-line)',
    textColor: 'var(--mantine-color-dimmed)',
    valueFormatter: figures.short,
    withLegend: false,
    xAxisProps: { tickFormatter: tick, minTickGap: 40, interval: 'equidistantPreserveStart', tickMargin: 8 },
    yAxisProps: { width: 58, tickCount: 5, domain: [0, 'auto'], allowDecimals: kind !== 'count' },
    tooltipAnimationDuration: 0,
    tooltipProps: {
      cursor: { fill: 'var(--sl-hover)', stroke: 'var(--sl-line)' },
      content: ({ label }: { label?: unknown }) => (
        <Tip point={points.find(({ time }) => time === label)} {...{ series, kind, bucket, zone }} />
      ),
    },
  } as const;
  if (shape === 'bars')
    return (
      <BarChart
        {...(common as unknown as Parameters<typeof BarChart>[0])}
        type="stacked"
        maxBarWidth={28}
        barProps={{ isAnimationActive: false, radius: 1 }}
        barChartProps={{
          onClick: openAt,
          barCategoryGap: '18%',
          margin: { top: 8, right: 4, bottom: 0, left: 0 },
        }}
      />
    );
  return (
    <LineChart
      {...(common as unknown as Parameters<typeof LineChart>[0])}
      curveType="linear"
      strokeWidth={1.75}
      withDots={hasLonePoint(points, series)}
      connectNulls={false}
      lineProps={{ isAnimationActive: false }}
      lineChartProps={{ onClick: openAt, margin: { top: 8, right: 4, bottom: 0, left: 0 } }}
    />
  );
}

/** A value with none before and after it makes no line: it needs a dot to be seen. */
const hasLonePoint = (points: readonly ChartPoint[], series: readonly Series[]): boolean =>
  series.some(({ name }) =>
    points.some(
      (point, place) =>
        typeof point[name] === 'number' &&
        typeof points[place - 1]?.[name] !== 'number' &&
        typeof points[place + 1]?.[name] !== 'number',
    ),
  );

type TipProps = {
  readonly point: ChartPoint | undefined;
  readonly series: readonly Series[];
} & Pick<PlotProps, 'kind' | 'bucket' | 'zone'>;

function Tip({ point, series, kind, bucket, zone }: TipProps): JSX.Element | null {
  if (point === undefined) return null;
  const values = series.flatMap(({ name, label, color }) => {
    const value = point[name];
    return typeof value === 'number' ? [{ name, label, color, value }] : [];
  });
  // Of a tall stack only what is there.
  const shown = values.length > 3 ? values.filter(({ value }) => value > 0).toReversed() : values;
  return (
    <div className="tip">
      <div className="dim">{bucketText(point.time, bucket, zone)}</div>
      {shown.map(({ name, label, color, value }) => (
        <div key={name} className="tip-row">
          <span>
            <i style={{ background: color }} />
            {label}
          </span>
          <strong>{FIGURES[kind].full(value)}</strong>
        </div>
      ))}
    </div>
  );
}
