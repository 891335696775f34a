import type { JSX, ReactNode } from 'react';
import type { FigureKind, Zone } from '../format.ts';
import { type ChartBucket, type ChartPoint, lengthOf, type Series } from './chart-data.ts';

type Named = {
  readonly name: string;
  /** How urgent it is, as a colour. */
  readonly tone?: 'neutral' | 'warn' | 'bad';
  /** Makes a link of its content; without it the name is plain text. */
  readonly link?: (content: ReactNode) => JSX.Element;
};
/** A moment that a chart shows as a vertical line, such as a deployment. `at` is ISO 8601. */
export type ChartMark = Named & { readonly at: string };
/** A stretch of time that a chart shades, such as a firing alert; `to` null: it lasts. ISO 8601. */
export type ChartRange = Named & { readonly from: string; readonly to: string | null };

export type ChartProps = {
  readonly points: readonly ChartPoint[];
  readonly series: readonly Series[];
  readonly kind: FigureKind;
  readonly bucket: ChartBucket;
  /** Bars for what adds up, stacked; lines for what does not. */
  readonly shape: 'bars' | 'lines';
  readonly height?: number;
  readonly zone: Zone;
  /** Called for a click on a point, with the series of a bar that is hit. */
  readonly onOpen?: (point: ChartPoint, hit?: Series) => void;
  /** Called for a drag over several points, with the first and the last of them. */
  readonly onZoom?: (from: ChartPoint, to: ChartPoint) => void;
  /** The time of a point in the table, such as a link; plain text without it. */
  readonly timeOf?: (point: ChartPoint, text: string) => ReactNode;
  /** Moments drawn as vertical lines, and stretches of time drawn as shaded areas; those outside are left out. */
  readonly marks?: readonly ChartMark[];
  readonly ranges?: readonly ChartRange[];
  readonly label: string;
};

/** The space around the plot of a chart, in pixels: axes, room for the handles of marks, and below the drawing. */
export const PLOT = { left: 58, right: 4, bottom: 30, below: 12, top: 8, topWithMarks: 22 } as const;

export const hasMarks = ({ marks = [], ranges = [] }: Pick<ChartProps, 'marks' | 'ranges'>): boolean =>
  marks.length + ranges.length > 0;

/** The end of a bucket in epoch milliseconds. */
export const endOfPoint = ({ time, end }: ChartPoint, bucket: ChartBucket): number =>
  end === undefined ? Date.parse(time) + lengthOf(bucket) : Date.parse(end);

/** The end of a chart's last bucket in epoch milliseconds. */
export const endOf = (points: readonly ChartPoint[], bucket: ChartBucket): number => {
  const last = points.at(-1);
  return last === undefined ? Number.NaN : endOfPoint(last, bucket);
};

/** What the drawing calls the sum of the previous period's bars. */
export const BEFORE = 'all before';

/** The lines of the previous period: one for each series, or for stacked bars one for their sum. */
export function linesBefore({ series, shape }: Pick<ChartProps, 'series' | 'shape'>): readonly LineBefore[] {
  const compared = series.flatMap(({ before, ...one }) => (before === undefined ? [] : [{ ...one, before }]));
  return shape === 'lines' || compared.length === 0
    ? compared
    : [{ label: '', before: BEFORE, color: 'var(--mantine-color-text)' }];
}
type LineBefore = Pick<Series, 'label' | 'color'> & { readonly before: string };

const numberOf = (value: ChartPoint[string] | undefined): number | null =>
  typeof value === 'number' ? value : null;

/** The sum of the shown series' values of the previous period; null if none is known. */
export function sumBefore(point: ChartPoint, series: readonly Series[]): number | null {
  const known = series.flatMap(({ before }) => (before === undefined ? [] : (numberOf(point[before]) ?? [])));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Points with what `linesBefore` draws. */
export const withBefore = ({ points, series, shape }: ChartProps): readonly ChartPoint[] =>
  shape === 'lines' || series.every(({ before }) => before === undefined)
    ? points
    : points.map((point) => ({ ...point, [BEFORE]: sumBefore(point, series) }));

/** Whether a bucket contains this moment: its figures are not final. */
export function isUnfinished(point: ChartPoint, bucket: ChartBucket, now = Date.now()): boolean {
  return Date.parse(point.time) <= now && now < endOfPoint(point, bucket);
}
