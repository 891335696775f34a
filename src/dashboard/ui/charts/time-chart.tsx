import { Skeleton } from '@mantine/core';
import { type JSX, lazy, type ReactNode, Suspense, useState } from 'react';
import css from './chart.module.css';
import type { Series } from './chart-data.ts';
import { ChartHead } from './chart-head.tsx';
import { type ChartProps, hasMarks, isUnfinished, linesBefore, PLOT } from './time-series.ts';

const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));
const ChartTable = lazy(async () => ({ default: (await import('./chart-table.tsx')).ChartTable }));
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

/** A chart that turns into a table; `children` stand to the left, `actions` beside the switch, the legend below. */
export function ChartOrTable({
  children,
  actions,
  ...chart
}: ChartProps & { readonly children?: ReactNode; readonly actions?: ReactNode }): JSX.Element {
  const [asTable, setAsTable] = useState(false);
  // By label: another breakdown has other series of the same names.
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const shown = { ...chart, series: chart.series.filter((one) => !hidden.includes(one.label)) };
  return (
    <>
      <ChartHead asTable={asTable} onSwitch={setAsTable} actions={actions}>
        {children}
      </ChartHead>
      {asTable ? (
        <Suspense fallback={<Skeleton height={264} />}>
          <ChartTable {...shown} />
        </Suspense>
      ) : (
        <TimeChart {...shown} />
      )}
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
      {series.map(({ name, label, color, dash }) => (
        <button
          key={name}
          type="button"
          aria-pressed={!hidden.includes(label)}
          title="Click to hide or show, Shift-click for only this"
          onClick={({ shiftKey }) => choose(label, shiftKey)}
        >
          <i className={dash === undefined ? undefined : css.dashed} style={{ color }} />
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
