import type { JSX } from 'react';
import { Bar, BarChart, CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts';
import { FIGURES, timeText } from '../format.ts';
import css from './chart.module.css';
import { bucketText, type ChartPoint, type ChartProps, type Series } from './time-series.ts';

const TICK = { fontSize: 12, fill: 'var(--mantine-color-dimmed)' };
const MARGIN = { top: 8, right: 4, bottom: 0, left: 0 };

/** The drawing itself; its library is fetched when the first chart is shown. */
export function Plot(props: ChartProps): JSX.Element {
  const { points, series, kind, bucket, shape, height = 240, zone, onOpen } = props;
  const chart = {
    data: [...points],
    responsive: true,
    style: { width: '100%', height },
    margin: MARGIN,
    onClick: (state: { activeTooltipIndex?: number | string | null | undefined }): void => {
      const point = points[Number(state.activeTooltipIndex ?? Number.NaN)];
      if (point !== undefined) onOpen?.(point);
    },
  };
  const around = (
    <>
      <CartesianGrid vertical={false} stroke="var(--sl-line)" />
      <XAxis
        dataKey="time"
        tickFormatter={(time: string) =>
          bucket === 'day' ? timeText.day(time, 'utc') : timeText.clock(time, zone)
        }
        tick={TICK}
        tickLine={false}
        tickMargin={8}
        minTickGap={40}
        interval="equidistantPreserveStart"
        stroke="var(--sl-line)"
      />
      <YAxis
        width={58}
        tickCount={5}
        domain={[0, 'auto']}
        allowDecimals={kind !== 'count'}
        tickFormatter={FIGURES[kind].short}
        tick={TICK}
        tickLine={false}
        axisLine={false}
      />
      <Tooltip
        isAnimationActive={false}
        position={{ y: 0 }}
        cursor={{ fill: 'var(--sl-hover)', stroke: 'var(--sl-line)' }}
        content={({ label }) => <Tip {...props} point={points.find(({ time }) => time === label)} />}
      />
    </>
  );
  if (shape === 'bars')
    return (
      <BarChart {...chart} barCategoryGap="18%" maxBarSize={28}>
        {around}
        {series.map(({ name, color }) => (
          <Bar key={name} dataKey={name} stackId="all" fill={color} radius={1} isAnimationActive={false} />
        ))}
      </BarChart>
    );
  return (
    <LineChart {...chart}>
      {around}
      {series.map(({ name, color }) => (
        <Line
          key={name}
          dataKey={name}
          stroke={color}
          strokeWidth={1.75}
          dot={hasLonePoint(points, series) && { r: 3, fill: color, strokeWidth: 0 }}
          activeDot={{ r: 4, fill: color, strokeWidth: 0 }}
          isAnimationActive={false}
        />
      ))}
    </LineChart>
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
} & Pick<ChartProps, 'series' | 'kind' | 'bucket' | 'zone'>;

function Tip({ point, series, kind, bucket, zone }: TipProps): JSX.Element | null {
  if (point === undefined) return null;
  const values = series.flatMap(({ name, label, color }) => {
    const value = point[name];
    return typeof value === 'number' ? [{ name, label, color, value }] : [];
  });
  // Of a tall stack only what is there.
  const shown = values.length > 3 ? values.filter(({ value }) => value > 0).toReversed() : values;
  return (
    <div className={css.tip}>
      <div className="dim">{bucketText(point.time, bucket, zone)}</div>
      {shown.map(({ name, label, color, value }) => (
        <div key={name} className={css.tipRow}>
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
