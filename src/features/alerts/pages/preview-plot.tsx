import type { JSX } from 'react';
import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceArea,
  ReferenceLine,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { MarkedCost } from '../../../core/pricing/money.tsx';
import { lookAt } from '../../../dashboard/ui/charts/colours.ts';
import { FIGURES, timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { markOf } from '../../../lib/billing/cost-mark.ts';
import type { AlertMeasure } from '../contract.ts';
import css from './preview-plot.module.css';
import { type FiringSpan, kindOf, type PreviewPoint } from './preview-points.ts';

const HEIGHT = 240;
const TICK = { fontSize: 12, fill: 'var(--mantine-color-dimmed)' };
/** Above the lines, at one end each, so that bounds that are near do not cover each other's. */
const LABELS = { critical: 'insideBottomRight', warning: 'insideBottomLeft' } as const;
const FILLS = { critical: 'var(--sl-bad)', warning: 'var(--sl-warn)' } as const;

type Props = {
  readonly points: readonly PreviewPoint[];
  /** Names of the series, in order. */
  readonly names: readonly string[];
  readonly spans: readonly FiringSpan[];
  readonly thresholds: { readonly critical?: number; readonly warning?: number };
  readonly measure: AlertMeasure;
  readonly zone: Zone;
};

/** Values over time with the thresholds drawn in and the times shaded in which the rule would have fired. */
export function PreviewPlot({ points, names, spans, thresholds, measure, zone }: Props): JSX.Element {
  const highest = Math.max(0, ...Object.values(thresholds)) * 1.1;
  const [first, last] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0];
  return (
    <LineChart
      responsive
      data={[...points]}
      style={{ width: '100%', height: HEIGHT }}
      margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
    >
      <CartesianGrid vertical={false} stroke="var(--sl-line)" />
      <XAxis
        dataKey="time"
        type="number"
        domain={[first, last]}
        tickFormatter={(time: number) => timeText.day(time, zone)}
        tick={TICK}
        tickLine={false}
        tickMargin={8}
        minTickGap={40}
        stroke="var(--sl-line)"
      />
      <YAxis
        width={58}
        tickCount={5}
        domain={[0, (most: number) => Math.max(most, highest)]}
        tickFormatter={FIGURES[kindOf(measure)].short}
        tick={TICK}
        tickLine={false}
        axisLine={false}
      />
      <Tooltip
        isAnimationActive={false}
        position={{ y: 0 }}
        content={({ label }) => (
          <Tip {...{ names, measure, zone }} point={points.find(({ time }) => time === label)} />
        )}
      />
      {spans.map(({ from, to, state }) => (
        <ReferenceArea
          key={`${state} ${from}`}
          x1={from}
          x2={Math.max(to, from + (last - first) / 300)}
          fill={FILLS[state]}
          fillOpacity={0.18}
          ifOverflow="hidden"
        />
      ))}
      {(['critical', 'warning'] as const).map(
        (state) =>
          thresholds[state] !== undefined && (
            <ReferenceLine
              key={state}
              y={thresholds[state]}
              stroke={FILLS[state]}
              strokeDasharray="5 4"
              label={{ value: state, position: LABELS[state], fontSize: 11, fill: FILLS[state] }}
            />
          ),
      )}
      <Line
        dataKey="baseline"
        stroke="var(--sl-chart-rest)"
        strokeDasharray="3 3"
        dot={false}
        isAnimationActive={false}
      />
      {names.map((name, place) => (
        <Line
          key={name}
          dataKey={`s${place}`}
          stroke={lookAt(place).color}
          strokeWidth={1.5}
          dot={false}
          isAnimationActive={false}
        />
      ))}
    </LineChart>
  );
}

type TipProps = Pick<Props, 'names' | 'measure' | 'zone'> & { readonly point: PreviewPoint | undefined };

function Tip({ point, names, measure, zone }: TipProps): JSX.Element | null {
  if (point === undefined) return null;
  return (
    <div className={css.tip}>
      <div className="dim">{timeText.minute(point.time, zone)}</div>
      {names.map((name, place) => {
        const value = point[`s${place}`] ?? null;
        const mark = markOf(measure, value, point[`u${place}`]);
        return (
          (value !== null || mark === 'unpriced') && (
            <div key={name} className={css.row}>
              <span>{name}</span>
              <strong>
                <MarkedCost mark={mark}>{value !== null && FIGURES[kindOf(measure)].full(value)}</MarkedCost>
              </strong>
            </div>
          )
        );
      })}
    </div>
  );
}
