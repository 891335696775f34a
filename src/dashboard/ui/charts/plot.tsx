import { type JSX, useState } from 'react';
import {
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ReferenceArea,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { FIGURES } from '../format.ts';
import { axisOf } from './axis.ts';
import css from './chart.module.css';
import {
  bucketText,
  type ChartPoint,
  type ChartProps,
  hasMarks,
  isUnfinished,
  PLOT,
  type Series,
  tickText,
} from './time-series.ts';

const TICK = { fontSize: 12, fill: 'var(--mantine-color-dimmed)' };

/** The drawing itself; its library is fetched when the first chart is shown. */
export function Plot(props: ChartProps): JSX.Element {
  const { points, series, kind, bucket, shape, height = 240, zone } = props;
  const [area, handlers] = useDrag(props);
  const marked = hasMarks(props);
  const axis = axisOf(kind, greatest(props));
  const chart = {
    data: [...points],
    responsive: true,
    style: { width: '100%', height },
    margin: { top: marked ? PLOT.topWithMarks : PLOT.top, right: PLOT.right, bottom: 0, left: 0 },
    'aria-label': props.label,
    ...handlers,
  };
  const around = (
    <>
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
        cursor={{ fill: 'var(--sl-hover)', stroke: 'var(--sl-line)' }}
        content={({ label }) => <Tip {...props} point={points.find(({ time }) => time === label)} />}
      />
      {area !== null && <ReferenceArea x1={area.from.time} x2={area.to.time} fill="var(--sl-accent-soft)" />}
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
/** The greatest value that is drawn: of a stack its height. */
const greatest = ({ points, series, shape }: ChartProps): number =>
  points.reduce((most, point) => {
    const values = series.map(({ name }) => Number(point[name] ?? 0));
    return Math.max(
      most,
      shape === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values),
    );
  }, 0);

type Place = { readonly activeTooltipIndex?: number | string | null | undefined };
type Handlers = Readonly<
  Record<'onMouseDown' | 'onMouseMove' | 'onMouseLeave' | 'onMouseUp', (at: Place) => void>
>;
type Area = { readonly from: ChartPoint; readonly to: ChartPoint };

/** A drag over several points chooses their time; a click opens one. The area is that of the drag so far. */
function useDrag({ points, onOpen, onZoom }: ChartProps): readonly [Area | null, Handlers] {
  const [drag, setDrag] = useState<readonly [number, number] | null>(null);
  const placeOf = ({ activeTooltipIndex }: Place): number => Number(activeTooltipIndex ?? Number.NaN);
  const areaOf = (places: readonly [number, number]): Area | null => {
    const [from, to] = [points[Math.min(...places)], points[Math.max(...places)]];
    return from === undefined || to === undefined || from === to ? null : { from, to };
  };
  const handlers = {
    onMouseDown: (at: Place): void => setDrag([placeOf(at), placeOf(at)]),
    onMouseMove: (at: Place): void => {
      const place = placeOf(at);
      if (drag !== null && points[place] !== undefined && place !== drag[1]) setDrag([drag[0], place]);
    },
    onMouseLeave: (): void => setDrag(null),
    onMouseUp: (at: Place): void => {
      const area = drag === null ? null : areaOf(drag);
      const point = points[placeOf(at)];
      setDrag(null);
      if (area !== null) onZoom?.(area.from, area.to);
      else if (drag !== null && point !== undefined) onOpen?.(point);
    },
  };
  return [drag === null || onZoom === undefined ? null : areaOf(drag), handlers];
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
} & Pick<ChartProps, 'series' | 'kind' | 'bucket' | 'shape' | 'zone'>;

function Tip({ point, series, kind, bucket, shape, zone }: TipProps): JSX.Element | null {
  if (point === undefined) return null;
  const values = series.flatMap(({ name, label, color }) => {
    const value = point[name];
    return typeof value === 'number' ? [{ name, label, color, value }] : [];
  });
  // Of a tall stack only what is there.
  const shown = values.length > 3 ? values.filter(({ value }) => value > 0).toReversed() : values;
  return (
    <div className={css.tip}>
      <div className="dim">
        {bucketText(point.time, bucket, zone)}
        {isUnfinished(point, bucket) && ', so far'}
      </div>
      {shown.map(({ name, label, color, value }) => (
        <div key={name} className={css.tipRow}>
          <span>
            <i style={{ background: color }} />
            {label}
          </span>
          <strong>{FIGURES[kind].full(value)}</strong>
        </div>
      ))}
      {shape === 'bars' && shown.length > 1 && (
        <div className={css.tipRow}>
          <span>Total</span>
          <strong>{FIGURES[kind].full(values.reduce((sum, { value }) => sum + value, 0))}</strong>
        </div>
      )}
    </div>
  );
}
