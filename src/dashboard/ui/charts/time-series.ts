import type { ReactNode } from 'react';
import { type FigureKind, timeText, type Zone } from '../format.ts';

export type Series = { readonly name: string; readonly label: string; readonly color: string };
export type ChartPoint = { readonly time: string } & Readonly<Record<string, number | string | null>>;

export type ChartProps = {
  readonly points: readonly ChartPoint[];
  readonly series: readonly Series[];
  readonly kind: FigureKind;
  readonly bucket: 'hour' | 'day';
  /** Bars for what adds up, stacked; lines for what does not. */
  readonly shape: 'bars' | 'lines';
  readonly height?: number;
  readonly zone: Zone;
  /** Called for a click on a point. */
  readonly onOpen?: (point: ChartPoint) => void;
  /** Called for a drag over several points, with the first and the last of them. */
  readonly onZoom?: (from: ChartPoint, to: ChartPoint) => void;
  /** The time of a point in the table, such as a link; plain text without it. */
  readonly timeOf?: (point: ChartPoint, text: string) => ReactNode;
  readonly label: string;
};

/** The label of a bucket. Days are UTC days, whatever the clock on the wall. */
export const bucketText = (time: string, bucket: 'hour' | 'day', zone: Zone): string =>
  bucket === 'day' ? timeText.day(time, 'utc') : timeText.minute(time, zone);
