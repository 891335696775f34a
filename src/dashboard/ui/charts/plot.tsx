import { type CSSProperties, type JSX, type MouseEvent, useState } from 'react';
import { Bar, CartesianGrid, ComposedChart, Line, Tooltip, XAxis, YAxis } from 'recharts';
import { axisOf } from './axis.ts';
import { tickText } from './bucket-text.ts';
import css from './chart.module.css';
import type { ChartPoint, Series } from './chart-data.ts';
import { type ChartProps, hasMarks, linesBefore, PLOT, withBefore } from './time-series.ts';
import { Tip } from './tip.tsx';

const TICK = { fontSize: 12, fill: 'var(--mantine-color-dimmed)' };

/** The drawing itself; its library is fetched when the first chart is shown. */
export function Plot(props: ChartProps): JSX.Element {
  const { points, series, kind, bucket, shape, height = 240, zone } = props;
  const [area, handlers] = useDrag(props);
  const marked = hasMarks(props);
  const axis = axisOf(kind, greatest(props));
  const lone = hasLonePoint(points, series);
  const chart = (
    <ComposedChart
      // For other points it begins anew: the library would keep the place of the pointer among the former ones.
      key={`${points[0]?.time} ${points.at(-1)?.time} ${points.length}`}
      data={[...withBefore(props)]}
      responsive
      style={{ width: '100%', height }}
      margin={{ top: marked ? PLOT.topWithMarks : PLOT.top, right: PLOT.right, bottom: 0, left: 0 }}
      aria-label={props.label}
      barCategoryGap="18%"
      maxBarSize={28}
      {...handlers}
    >
      <CartesianGrid vertical={false} stroke="var(--sl-line)" />
      <XAxis
        dataKey="time"
        // A bucket has a width in a line chart too, so that an instant lies at the same place in both.
        scale="band"
        height={PLOT.bottom}
        tickFormatter={(time: string) => tickText(time, bucket, zone)}
        tick={TICK}
        tickLine={false}
        tickMargin={8}
        minTickGap={40}
        interval="equidistantPreserveStart"
        stroke="var(--sl-line)"
      />
      <YAxis
        width={PLOT.left}
        ticks={[...axis.ticks]}
        domain={[0, axis.ticks.at(-1) ?? 1]}
        interval={0}
        tickFormatter={axis.text}
        tick={TICK}
        tickLine={false}
        axisLine={false}
      />
      <Tooltip
        isAnimationActive={false}
        position={{ y: 0 }}
        // Above the marks.
        wrapperStyle={{ zIndex: 3 }}
        cursor={shape === 'bars' ? { fill: 'var(--sl-hover)' } : { stroke: 'var(--sl-line)' }}
        content={({ label }) => <Tip {...props} point={points.find(({ time }) => time === label)} />}
      />
      {series.map(({ name, color, dash }, place) =>
        shape === 'bars' ? (
          <Bar
            key={name}
            className={partClass(place)}
            dataKey={name}
            stackId="all"
            fill={color}
            radius={1}
            isAnimationActive={false}
          />
        ) : (
          <Line
            key={name}
            dataKey={name}
            stroke={color}
            strokeWidth={1.75}
            {...(dash !== undefined && { strokeDasharray: dash })}
            dot={lone && { r: 3, fill: color, strokeWidth: 0 }}
            activeDot={{ r: 4, fill: color, strokeWidth: 0 }}
            isAnimationActive={false}
          />
        ),
      )}
      {linesBefore(props).map(({ before, color }) => (
        <Line
          key={before}
          className="chart-before"
          dataKey={before}
          stroke={color}
          strokeWidth={1.25}
          strokeDasharray="4 3"
          strokeOpacity={0.65}
          dot={false}
          activeDot={false}
          isAnimationActive={false}
        />
      ))}
    </ComposedChart>
  );
  return (
    <>
      {chart}
      {area !== null && <i className={css.drag} style={stretchOf(area.from, area.to, points)} />}
    </>
  );
}

/** Where some buckets lie over the plot. */
function stretchOf(from: ChartPoint, to: ChartPoint, points: readonly ChartPoint[]): CSSProperties {
  const plot = `(100% - ${PLOT.left + PLOT.right}px) / ${points.length}`;
  return {
    left: `calc(${PLOT.left}px + ${plot} * ${points.indexOf(from)})`,
    width: `calc(${plot} * ${points.indexOf(to) - points.indexOf(from) + 1})`,
    bottom: PLOT.bottom + PLOT.below,
  };
}

/** The greatest value that is drawn: of a stack its height, and those of the previous period. */
const greatest = (props: ChartProps): number => {
  const { series, shape } = props;
  const before = linesBefore(props).map((line) => line.before);
  return withBefore(props).reduce((most, point) => {
    const values = series.map(({ name }) => Number(point[name] ?? 0));
    const drawn = shape === 'bars' ? [values.reduce((sum, value) => sum + value, 0)] : values;
    return Math.max(most, ...drawn, ...before.map((name) => Number(point[name] ?? 0)));
  }, 0);
};

type Handlers = Readonly<
  Record<
    'onMouseDown' | 'onMouseMove' | 'onMouseLeave' | 'onMouseUp',
    (_: unknown, event: MouseEvent) => void
  >
>;
type Area = { readonly from: ChartPoint; readonly to: ChartPoint };

/** A drag over several points chooses their time; a click opens one. The area is that of the drag so far. */
function useDrag({ points, series, onOpen, onZoom }: ChartProps): readonly [Area | null, Handlers] {
  const [drag, setDrag] = useState<readonly [number, number] | null>(null);
  // The library's own index is that of a frame before, so a tap would open another bucket.
  const placeOf = ({ currentTarget, clientX }: MouseEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = (clientX - left - PLOT.left) / (width - PLOT.left - PLOT.right);
    return share < 0 || share > 1
      ? Number.NaN
      : Math.min(points.length - 1, Math.floor(share * points.length));
  };
  const areaOf = (places: readonly [number, number]): Area | null => {
    const [from, to] = [points[Math.min(...places)], points[Math.max(...places)]];
    return from === undefined || to === undefined || from === to ? null : { from, to };
  };
  const handlers: Handlers = {
    onMouseDown: (_, event) => setDrag([placeOf(event), placeOf(event)]),
    onMouseMove: (_, event) => {
      const place = placeOf(event);
      if (drag !== null && points[place] !== undefined && place !== drag[1]) setDrag([drag[0], place]);
    },
    onMouseLeave: () => setDrag(null),
    onMouseUp: (_, event) => {
      const area = drag === null ? null : areaOf(drag);
      const point = points[placeOf(event)];
      setDrag(null);
      if (area !== null) onZoom?.(area.from, area.to);
      else if (drag !== null && point !== undefined) onOpen?.(point, partAt(event, series));
    },
  };
  return [drag === null || onZoom === undefined ? null : areaOf(drag), handlers];
}

const partClass = (place: number): string => `chart-part-${place}`;

/** The part of a stack that was clicked: what the mouse entered before may have been drawn anew since. */
function partAt({ target }: MouseEvent, series: readonly Series[]): Series | undefined {
  const bar = target instanceof Element ? target.closest('.recharts-bar') : null;
  return series.find((_, place) => bar?.classList.contains(partClass(place)));
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
