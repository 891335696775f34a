import type { JSX } from 'react';
import css from './spark-bars.module.css';

const WIDTH = 120;
const HEIGHT = 20;

type Props = {
  readonly values: readonly number[];
  /** `bad`, the default, for failures. */
  readonly tone?: 'bad' | 'neutral';
};

/** A small picture of how counts went; the table's other columns say it in figures. */
export function SparkBars({ values, tone = 'bad' }: Props): JSX.Element {
  const top = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" className={css.spark}>
      {values.map((value, place) => {
        const height = value === 0 ? 1 : Math.max(2, (value / top) * HEIGHT);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
            key={place}
            x={place * step}
            y={HEIGHT - height}
            width={Math.max(1, step - 1)}
            height={height}
            className={value === 0 ? css.sparkNone : tone === 'bad' ? css.sparkBar : css.sparkNeutral}
          />
        );
      })}
    </svg>
  );
}
