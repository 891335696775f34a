import type { JSX } from 'react';
import { FIGURES } from '../format.ts';
import { bucketHeader, bucketText } from './bucket-text.ts';
import css from './chart.module.css';
import type { ChartPoint } from './chart-data.ts';
import { MarkList } from './mark-list.tsx';
import { shownMarks, shownRanges } from './marks.ts';
import { type ChartProps, endOf, hasMarks, isUnfinished, linesBefore, withBefore } from './time-series.ts';

/** What a chart shows, as rows; newest first. */
export function ChartTable(chart: ChartProps): JSX.Element {
  const { series, kind, bucket, zone, timeOf, label } = chart;
  const points = withBefore(chart);
  const columns = [
    ...series.map(({ name, label: text }) => [name, text] as const),
    ...linesBefore(chart).map(
      ({ before, label: text }) =>
        [before, text === '' ? 'Previous period' : `${text}, previous period`] as const,
    ),
  ];
  return (
    <section className={`table-scroll ${css.chartTable}`} tabIndex={0} aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            <th>{bucketHeader(bucket, zone)}</th>
            {columns.map(([name, text]) => (
              <th key={name} className="right">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map((point) => (
            <tr key={point.time}>
              <td>
                {timeOf?.(point, bucketText(point.time, bucket, zone)) ??
                  bucketText(point.time, bucket, zone)}
                {isUnfinished(point, bucket) && <span className="dim"> so far</span>}
                {hasMarks(chart) && <MarksOf chart={chart} point={point} />}
              </td>
              {columns.map(([name]) => (
                <td key={name} className="right num">
                  {typeof point[name] === 'number' ? FIGURES[kind].full(point[name]) : '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The marks in a bucket, and the ranges that begin in it. */
function MarksOf({ chart, point }: { chart: ChartProps; point: ChartPoint }): JSX.Element {
  const { bucket, zone, marks = [], ranges = [] } = chart;
  const start = Date.parse(point.time);
  const within = { start, end: endOf([point], bucket), zone };
  const begun = ranges.filter(({ from }) => Date.parse(from) >= start);
  return <MarkList marks={[...shownMarks(marks, within), ...shownRanges(begun, within)]} />;
}
