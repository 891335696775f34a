import { useElementSize } from '@mantine/hooks';
import type { JSX } from 'react';
import { Bar, CartesianGrid, ComposedChart, Tooltip, XAxis, YAxis } from 'recharts';
import { numberText, percentText } from '../../../lib/figures.ts';
import { axisOf } from './axis.ts';
import { binText, boundText, namedBounds, placeOfTime } from './bin-text.ts';
import css from './chart.module.css';
import hist from './histogram.module.css';
import { PLOT } from './time-series.ts';

/** A time that is marked in a histogram, such as a percentile, in milliseconds. */
export type TimeMark = { readonly label: string; readonly ms: number };

type Props = {
  /** Bounds of the bins in milliseconds, one more than counts. */
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly marks: readonly TimeMark[];
  readonly height: number;
  readonly label: string;
  /** Called for a click on a bin. */
  readonly onOpen: (bin: number) => void;
};

const TICK = { fontSize: 12, fill: 'var(--mantine-color-dimmed)' };
/** Room for the names of the marks. */
const TOP = 40;

/** How many calls took how long, in bins of a logarithmic scale, with percentiles. */
export function Histogram({ bounds, counts, marks, height, label, onOpen }: Props): JSX.Element {
  const { ref, width } = useElementSize();
  const all = counts.reduce((sum, calls) => sum + calls, 0);
  const axis = axisOf('count', Math.max(...counts));
  const binWidth = (width - PLOT.left - PLOT.right) / counts.length;
  const named = new Set(namedBounds(bounds, binWidth, 52));
  return (
    <figure ref={ref} className={css.chart} aria-label={label} style={{ height }}>
      <ComposedChart
        data={counts.map((calls, bin) => ({ bin, calls }))}
        responsive
        style={{ width: '100%', height }}
        margin={{ top: TOP, right: PLOT.right, bottom: 0, left: 0 }}
        aria-label={label}
        barCategoryGap={1}
        onMouseUp={({ activeTooltipIndex }) => {
          const bin = Number(activeTooltipIndex ?? Number.NaN);
          if (counts[bin] !== undefined) onOpen(bin);
        }}
      >
        <CartesianGrid vertical={false} stroke="var(--sl-line)" />
        <XAxis dataKey="bin" scale="band" height={PLOT.bottom} tick={false} stroke="var(--sl-line)" />
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
          cursor={{ fill: 'var(--sl-hover)' }}
          content={({ label: bin }) => (
            <div className={css.tip}>
              <div className="dim">{binText(bounds, Number(bin))}</div>
              <strong>{numberText(counts[Number(bin)] ?? 0)}</strong> calls,{' '}
              {percentText((counts[Number(bin)] ?? 0) / Math.max(1, all))}
            </div>
          )}
        />
        <Bar dataKey="calls" fill="var(--sl-chart-1)" radius={1} isAnimationActive={false} />
      </ComposedChart>
      <div
        className={hist.over}
        style={{ left: PLOT.left, right: PLOT.right, bottom: PLOT.bottom }}
        aria-hidden="true"
      >
        {marks.map((mark, place) => (
          <Mark key={mark.label} mark={mark} at={placeOfTime(mark.ms, bounds)} row={place} />
        ))}
        {[...named].map((place) => (
          <span
            key={place}
            className={`${hist.tick} dim`}
            style={{ left: `${(place / counts.length) * 100}%` }}
          >
            {boundText(bounds[place] ?? 0)}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** A line at a time; names of marks are in rows below each other, so that near ones can be read. */
const Mark = ({ mark, at, row }: { mark: TimeMark; at: number; row: number }): JSX.Element => (
  <span className={hist.mark} style={{ left: `${at * 100}%`, top: row * 13 }}>
    <span className={at > 0.8 ? hist.nameLeft : hist.name}>
      {mark.label} {boundText(Number(mark.ms.toPrecision(3)))}
    </span>
  </span>
);
