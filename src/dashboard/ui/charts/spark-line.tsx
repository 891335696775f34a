import type { JSX } from 'react';
import css from './spark-line.module.css';

const WIDTH = 80;
const HEIGHT = 24;
/** Room for the line's width and the dot. */
const EDGE = 2;

/** Evenly spaced values, the newest last; null where there was none. `slots`: values that fill the width. */
type Props = { readonly values: readonly (number | null)[]; readonly slots: number };

/** A small picture of how a value went, the newest at the right; the table's other columns say it in figures. */
export function SparkLine({ values, slots }: Props): JSX.Element {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const xOf = (place: number): number =>
    EDGE + ((WIDTH - 2 * EDGE) * (slots - values.length + place)) / Math.max(1, slots - 1);
  const yOf = (value: number): number =>
    HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (high === low ? 0.5 : (value - low) / (high - low));
  const last = values.at(-1);
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" className={css.spark}>
      <path d={pathOf(values, xOf, yOf)} className={css.line} />
      {typeof last === 'number' && (
        <circle cx={xOf(values.length - 1)} cy={yOf(last)} r={EDGE} className={css.dot} />
      )}
    </svg>
  );
}

/** A line through the values, with a gap where there is none. */
function pathOf(
  values: Props['values'],
  xOf: (place: number) => number,
  yOf: (value: number) => number,
): string {
  return values
    .map((value, place) => {
      if (value === null) return '';
      const before = values[place - 1];
      return `${typeof before === 'number' ? 'L' : 'M'}${xOf(place).toFixed(1)} ${yOf(value).toFixed(1)}`;
    })
    .join('');
}
