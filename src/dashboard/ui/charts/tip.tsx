import type { JSX } from 'react';
import { changeOf, pointsOf } from '../../../lib/figures.ts';
import { FIGURES, type FigureKind } from '../format.ts';
import { beforeText, bucketText } from './bucket-text.ts';
import css from './chart.module.css';
import type { ChartPoint } from './chart-data.ts';
import { type ChartProps, isUnfinished, sumBefore } from './time-series.ts';

type TipProps = {
  readonly point: ChartPoint | undefined;
} & Pick<ChartProps, 'series' | 'kind' | 'bucket' | 'shape' | 'zone'>;

/** The values of a bucket, and, where the chart compares, those of the previous period with the difference. */
export function Tip({ point, series, kind, bucket, shape, zone }: TipProps): JSX.Element | null {
  if (point === undefined) return null;
  const values = series.flatMap(({ name, label, color, before }) => {
    const value = point[name];
    const was = before === undefined ? null : point[before];
    return typeof value === 'number' || typeof was === 'number'
      ? [{ name, label, color, value: asNumber(value), was: asNumber(was) }]
      : [];
  });
  // Of a tall stack only what is there.
  const shown = values.length > 3 ? values.filter(({ value, was }) => value || was).toReversed() : values;
  const compared = series.some(({ before }) => before !== undefined);
  const before = compared ? beforeText(point, bucket, zone) : null;
  return (
    <div className={css.tip}>
      <div className="dim">
        {bucketText(point.time, bucket, zone)}
        {isUnfinished(point, bucket) && ', so far'}
      </div>
      {before !== null && <div className="dim">before: {before}</div>}
      <table className={css.tipRows}>
        <tbody>
          {shown.map(({ name, label, color, value, was }) => (
            <Row key={name} {...{ kind, value, was, compared }}>
              <i style={{ background: color }} />
              {label}
            </Row>
          ))}
          {shape === 'bars' && shown.length > 1 && (
            <Row
              kind={kind}
              value={values.reduce((sum, { value }) => sum + (value ?? 0), 0)}
              was={sumBefore(point, series)}
              compared={compared}
            >
              Total
            </Row>
          )}
        </tbody>
      </table>
    </div>
  );
}

const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

type RowProps = {
  readonly kind: FigureKind;
  readonly value: number | null;
  readonly was: number | null;
  readonly compared: boolean;
  readonly children: JSX.Element | string | readonly (JSX.Element | string)[];
};

const Row = ({ kind, value, was, compared, children }: RowProps): JSX.Element => (
  <tr>
    <th>{children}</th>
    <td>
      <strong>{value === null ? '–' : FIGURES[kind].full(value)}</strong>
    </td>
    {compared && <td className="dim">{was === null ? '–' : FIGURES[kind].full(was)}</td>}
    {compared && <td>{changeText(kind, value, was)}</td>}
  </tr>
);

/** The difference to the previous period: points for fractions, percent for all else. */
export function changeText(kind: FigureKind, value: number | null, was: number | null): string {
  if (value === null || was === null) return '';
  const change = kind === 'fraction' ? pointsOf(value, was) : changeOf(value, was);
  return change?.text ?? '';
}
