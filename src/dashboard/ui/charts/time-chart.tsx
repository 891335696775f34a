import { ActionIcon, Skeleton, Tooltip } from '@mantine/core';
import { type JSX, lazy, type ReactNode, Suspense, useState } from 'react';
import { FIGURES } from '../format.ts';
import { Icon } from '../icons.tsx';
import css from './chart.module.css';
import type { ChartPoint, Series } from './chart-data.ts';
import { MarkList } from './mark-list.tsx';
import { shownMarks, shownRanges } from './marks.ts';
import {
  bucketHeader,
  bucketText,
  type ChartProps,
  endOf,
  hasMarks,
  isUnfinished,
  linesBefore,
  PLOT,
  withBefore,
} from './time-series.ts';

const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));
const Marks = lazy(async () => ({ default: (await import('./marks.tsx')).Marks }));

/** A chart over time. As a table it can be read and tabbed. */
export function TimeChart({ height = 240, ...chart }: ChartProps): JSX.Element {
  return (
    <figure className={css.chart} aria-label={chart.label} style={{ height: height + PLOT.below }}>
      <Suspense fallback={<Skeleton height={height - 24} mt={12} />}>
        <Plot {...chart} height={height} />
        <Unfinished {...chart} />
        {hasMarks(chart) && (
          <Suspense>
            <Marks {...chart} />
          </Suspense>
        )}
      </Suspense>
    </figure>
  );
}

/** Stripes over the bucket that is not over yet, so that it does not look like a fall. */
function Unfinished({ points, bucket }: ChartProps): JSX.Element | null {
  const place = points.findIndex((point) => isUnfinished(point, bucket));
  if (place === -1) return null;
  const share = 1 / points.length;
  const plot = `(100% - ${PLOT.left + PLOT.right}px)`;
  return (
    <i
      className={css.unfinished}
      style={{
        left: `calc(${PLOT.left}px + ${plot} * ${place * share})`,
        width: `calc(${plot} * ${share})`,
        bottom: PLOT.bottom + PLOT.below,
      }}
    />
  );
}

/** What a chart shows, as rows; newest first. */
export function ChartTable(chart: ChartProps): JSX.Element {
  const { series, kind, bucket, zone, timeOf, label } = chart;
  const points = withBefore(chart);
  const columns = [
    ...series.map(({ name, label: text }) => [name, text] as const),
    ...linesBefore(chart).map(({ before, label: text }) => [before, text] as const),
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

/** A chart that turns into a table; `children` stand to the left, `actions` beside the switch, the legend below. */
export function ChartOrTable({
  children,
  actions,
  ...chart
}: ChartProps & { readonly children?: ReactNode; readonly actions?: ReactNode }): JSX.Element {
  const [asTable, setAsTable] = useState(false);
  // By label: another breakdown has other series of the same names.
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const label = asTable ? 'Show as a chart' : 'Show as a table';
  const shown = { ...chart, series: chart.series.filter((one) => !hidden.includes(one.label)) };
  return (
    <>
      <div className={css.chartHead}>
        {children}
        <span className={css.chartActions}>
          {actions}
          <Tooltip label={label}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={label}
              onClick={() => setAsTable(!asTable)}
            >
              <Icon name={asTable ? 'chart' : 'table'} size={15} />
            </ActionIcon>
          </Tooltip>
        </span>
      </div>
      {asTable ? <ChartTable {...shown} /> : <TimeChart {...shown} />}
      {(chart.series.length > 1 || linesBefore(chart).length > 0) && (
        <Legend series={chart.series} hidden={hidden} onChange={setHidden} />
      )}
    </>
  );
}

type LegendProps = {
  readonly series: readonly Series[];
  /** Labels of the series that are not drawn. */
  readonly hidden: readonly string[];
  readonly onChange: (hidden: readonly string[]) => void;
};

/** Names and colours of the series. A click hides one or shows it again; with Shift only this one is shown, then all. */
function Legend({ series, hidden, onChange }: LegendProps): JSX.Element {
  const labels = series.map(({ label }) => label);
  const choose = (label: string, only: boolean): void => {
    const others = labels.filter((one) => one !== label);
    const next = only
      ? others
      : hidden.includes(label)
        ? hidden.filter((one) => one !== label)
        : [...hidden, label];
    const isAlone = only && !hidden.includes(label) && others.every((one) => hidden.includes(one));
    onChange(isAlone || labels.every((one) => next.includes(one)) ? [] : next);
  };
  return (
    <div className={css.legend}>
      {series.map(({ name, label, color }) => (
        <button
          key={name}
          type="button"
          aria-pressed={!hidden.includes(label)}
          title="Click to hide or show, Shift-click for only this"
          onClick={({ shiftKey }) => choose(label, shiftKey)}
        >
          <i style={{ background: color }} />
          {label}
        </button>
      ))}
      {series.some(({ before }) => before !== undefined) && (
        <span className={css.beforeKey}>
          <i />
          Previous period
        </span>
      )}
    </div>
  );
}
