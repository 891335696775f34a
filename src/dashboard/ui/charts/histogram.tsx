import { useElementSize } from '@mantine/hooks';
import { type JSX, type KeyboardEvent, type MouseEvent, useState } from 'react';
import { countText, percentText } from '../../../lib/figures.ts';
import { binText, boundText } from '../../../lib/ranges/bin-text.ts';
import { axisOf } from './axis.ts';
import { namedBounds, placeOfTime } from './bins.ts';
import css from './histogram.module.css';
import { PLOT } from './time-series.ts';
import { TipBox } from './tip-box.tsx';

/** A time that is marked in a histogram, such as a percentile, in milliseconds. */
export type TimeMark = { readonly label: string; readonly ms: number };

type Props = {
  /** Bounds of the bins in milliseconds, one more than counts. */
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly marks: readonly TimeMark[];
  readonly height: number;
  readonly label: string;
  /** Called for a click on a bin that has calls. */
  readonly onOpen: (bin: number) => void;
};

/** Room for the names of the marks. */
const TOP = 44;
const percent = (fraction: number): string => `${fraction * 100}%`;

/** How many calls took how long, in bins of a logarithmic scale, with percentiles. The arrow keys go from bin to bin. */
export function Histogram({ bounds, counts, marks, height, label, onOpen }: Props): JSX.Element {
  const { ref, width } = useElementSize();
  const [chosen, setChosen] = useState<number | null>(null);
  const bins = counts.length;
  const all = counts.reduce((sum, calls) => sum + calls, 0);
  const axis = axisOf('count', Math.max(...counts));
  const top = axis.ticks.at(-1) ?? 1;
  const named = namedBounds(bounds, (width - PLOT.left - PLOT.right) / bins, 52);
  const text = (bin: number): string =>
    `${binText(bounds, bin)}: ${countText(counts[bin] ?? 0, 'call')}, ${percentText((counts[bin] ?? 0) / Math.max(1, all))}`;
  const open = (bin: number | null): void => {
    if (bin !== null && (counts[bin] ?? 0) > 0) onOpen(bin);
  };
  const binAt = ({ clientX, currentTarget }: MouseEvent): number => {
    const { left, width: whole } = currentTarget.getBoundingClientRect();
    return Math.min(bins - 1, Math.max(0, Math.floor(((clientX - left) / whole) * bins)));
  };
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (step !== 0) setChosen(Math.min(bins - 1, Math.max(0, (chosen ?? -step) + step)));
    if (key === 'Enter') open(chosen);
  };
  return (
    <figure ref={ref} className={css.figure} style={{ height }} aria-label={label}>
      <div className={css.area} style={{ top: TOP, left: PLOT.left, right: PLOT.right, bottom: PLOT.bottom }}>
        {axis.ticks.map((tick) => (
          <span key={tick} className={`${css.line} dim`} style={{ bottom: percent(tick / top) }}>
            <span>{axis.text(tick)}</span>
          </span>
        ))}
        <button
          type="button"
          className={css.bars}
          aria-label={`${label}: ${chosen === null ? 'the arrow keys go from bin to bin' : text(chosen)}`}
          onMouseMove={(event) => setChosen(binAt(event))}
          onMouseLeave={() => setChosen(null)}
          onBlur={() => setChosen(null)}
          onKeyDown={onKeyDown}
          // Enter makes a click too, which has no place.
          onClick={(event) => event.detail > 0 && open(binAt(event))}
        >
          {counts.map((calls, bin) => (
            <span key={bounds[bin]} className={bin === chosen ? css.chosen : undefined}>
              <i style={{ height: percent(calls / top) }} />
            </span>
          ))}
        </button>
        {marks.map((mark, row) => (
          <Mark key={mark.label} mark={mark} at={placeOfTime(mark.ms, bounds)} row={row} />
        ))}
        {named.map((place) => (
          <span key={place} className={`${css.tick} dim`} style={{ left: percent(place / bins) }}>
            {boundText(bounds[place] ?? 0)}
          </span>
        ))}
        {chosen !== null && (
          <TipBox
            style={
              chosen < bins / 2
                ? { left: percent((chosen + 1.3) / bins) }
                : { right: percent((bins - chosen + 0.3) / bins) }
            }
          >
            {text(chosen)}
          </TipBox>
        )}
      </div>
    </figure>
  );
}

/** A line at a time; names of marks are in rows below each other, so that near ones can be read. */
const Mark = ({ mark, at, row }: { mark: TimeMark; at: number; row: number }): JSX.Element => (
  <span className={css.mark} style={{ left: percent(at), top: row * 13 - TOP }}>
    <span className={at > 0.8 ? css.nameLeft : css.name}>
      {mark.label} {boundText(Number(mark.ms.toPrecision(3)))}
    </span>
  </span>
);
