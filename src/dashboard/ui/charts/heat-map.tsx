import { useElementSize } from '@mantine/hooks';
import { type JSX, type KeyboardEvent, type MouseEvent, useState } from 'react';
import { numberText } from '../../../lib/figures.ts';
import { binText, boundText } from '../../../lib/ranges/bin-text.ts';
import type { Zone } from '../format.ts';
import { namedBounds } from './bins.ts';
import { bucketText, tickText } from './bucket-text.ts';
import type { ChartBucket, ChartPoint } from './chart-data.ts';
import css from './heat-map.module.css';
import { isUnfinished, PLOT } from './time-series.ts';
import { TipBox } from './tip-box.tsx';

/** A cell: the step, and the bin from the lowest. */
export type HeatCell = { readonly step: number; readonly bin: number };

type Props = {
  /** The steps, oldest first. */
  readonly points: readonly ChartPoint[];
  readonly bucket: ChartBucket;
  readonly zone: Zone;
  /** Bounds of the bins in milliseconds. */
  readonly bounds: readonly number[];
  /** Counts by step and bin. */
  readonly series: readonly (readonly number[])[];
  readonly height: number;
  readonly label: string;
  readonly onOpen: (cell: HeatCell) => void;
};

/** Calls by time and by how long they took; the darker the more. The arrow keys go from cell to cell. */
export function HeatMap(props: Props): JSX.Element {
  const { points, bounds, series, height, label, onOpen } = props;
  const { ref, width } = useElementSize();
  const [chosen, setChosen] = useState<HeatCell | null>(null);
  const bins = bounds.length - 1;
  const most = Math.max(1, ...series.flat());
  const plot = { width: Math.max(0, width - PLOT.left - PLOT.right), height: height - PLOT.bottom };
  const cellAt = ({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>): HeatCell => {
    const { left, top } = currentTarget.getBoundingClientRect();
    const place = (at: number, size: number, count: number): number =>
      Math.min(count - 1, Math.max(0, Math.floor((at / size) * count)));
    return {
      step: place(clientX - left, plot.width, points.length),
      bin: bins - 1 - place(clientY - top, plot.height, bins),
    };
  };
  const open = (cell: HeatCell | null): void => {
    if (cell !== null && countAt(series, cell) > 0) onOpen(cell);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [across, up] = MOVES[event.key] ?? [0, 0];
    if (event.key === 'Enter') open(chosen);
    if (across === 0 && up === 0) return;
    event.preventDefault();
    const from = chosen ?? { step: points.length - 1, bin: 0 };
    setChosen({
      step: Math.min(points.length - 1, Math.max(0, from.step + across)),
      bin: Math.min(bins - 1, Math.max(0, from.bin + up)),
    });
  };
  return (
    <figure ref={ref} className={css.figure} style={{ height }} aria-label={label}>
      <Axes {...props} plot={plot} />
      <button
        type="button"
        className={css.plot}
        style={{ left: PLOT.left, ...plot }}
        aria-label={`${label}: ${chosen === null ? 'the arrow keys go from cell to cell' : textOf(props, chosen)}`}
        onMouseMove={(event) => setChosen(cellAt(event))}
        onMouseLeave={() => setChosen(null)}
        // Enter makes a click too, which has no place.
        onClick={(event) => event.detail > 0 && open(cellAt(event))}
        onKeyDown={onKeyDown}
        onBlur={() => setChosen(null)}
      >
        <svg viewBox={`0 0 ${points.length} ${bins}`} preserveAspectRatio="none" aria-hidden="true">
          {series.map((counts, step) =>
            counts.map((calls, bin) =>
              calls === 0 ? null : (
                <rect
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                  key={`${step} ${bin}`}
                  x={step}
                  y={bins - 1 - bin}
                  width={1}
                  height={1}
                  fill="var(--sl-chart-1)"
                  // The root, so that few calls beside many can be seen.
                  fillOpacity={0.1 + 0.9 * Math.sqrt(calls / most)}
                />
              ),
            ),
          )}
          {chosen !== null && (
            <rect
              className={css.chosen}
              x={chosen.step}
              y={bins - 1 - chosen.bin}
              width={1}
              height={1}
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
      </button>
      {chosen !== null && (
        <TipBox
          style={
            chosen.step < points.length / 2
              ? { left: PLOT.left + ((chosen.step + 1.5) / points.length) * plot.width }
              : { right: PLOT.right + ((points.length - chosen.step + 0.5) / points.length) * plot.width }
          }
        >
          {textOf(props, chosen)}
        </TipBox>
      )}
    </figure>
  );
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

const countAt = (series: Props['series'], { step, bin }: HeatCell): number => series[step]?.[bin] ?? 0;

function textOf({ points, bucket, zone, bounds, series }: Props, cell: HeatCell): string {
  const point = points[cell.step];
  if (point === undefined) return '';
  const when = `${bucketText(point.time, bucket, zone)}${isUnfinished(point, bucket) ? ', so far' : ''}`;
  const calls = countAt(series, cell);
  return `${when} · ${binText(bounds, cell.bin)}: ${numberText(calls)} ${calls === 1 ? 'call' : 'calls'}`;
}

type Plot = { readonly width: number; readonly height: number };

/** Times below and durations to the left, as many as there is room for. */
function Axes({ points, bucket, zone, bounds, plot }: Props & { readonly plot: Plot }): JSX.Element {
  const bins = bounds.length - 1;
  const every = Math.max(1, Math.ceil(points.length / Math.max(1, Math.floor(plot.width / 76))));
  return (
    <div aria-hidden="true" className={`${css.axes} dim`}>
      {namedBounds(bounds, plot.height / bins, 18).map((place) => (
        <span
          key={place}
          className={css.bound}
          style={{ width: PLOT.left - 8, top: (1 - place / bins) * plot.height }}
        >
          {boundText(bounds[place] ?? 0)}
        </span>
      ))}
      {points.map(({ time }, step) =>
        step % every === 0 ? (
          <span
            key={time}
            className={css.time}
            style={{ left: PLOT.left + ((step + 0.5) / points.length) * plot.width, top: plot.height + 8 }}
          >
            {tickText(time, bucket, zone)}
          </span>
        ) : null,
      )}
    </div>
  );
}
