import type { Cell } from '../format.ts';

/** One column of a chart. */
export interface Point {
  readonly label: string;
  readonly value: number;
}

interface ChartOptions {
  /** Width of the terminal. */
  readonly columns: number;
  readonly height?: number;
  /** Writes a value at the axis. */
  readonly format: (value: number) => string;
}

const levels = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const widestBar = 8;

/**
 * A column chart with a scale from zero, one line per row of characters: the axis, then the columns.
 * Neighbouring points are summed if there are more points than characters.
 */
export const chart = (points: readonly Point[], options: ChartOptions): Cell[][] => {
  const { columns, height = 4, format } = options;
  const room = columns - 12;
  const fitted = fit(points, room);
  const top = Math.max(0, ...fitted.map(({ value }) => value));
  const scale = [format(top), format(0)].map((text) => text.trim());
  const axis = Math.max(...scale.map((text) => text.length));
  const pitch = Math.max(
    1,
    Math.min(widestBar, Math.floor((columns - axis - 3) / Math.max(1, fitted.length))),
  );
  const rows = Array.from({ length: height }, (_, i) => {
    const row = height - 1 - i;
    const label = i === 0 ? scale[0] : row === 0 ? scale[1] : '';
    const bars = fitted.map(({ value }) => column(top > 0 ? (value / top) * height - row : 0, row, pitch));
    return [
      dim(`${(label ?? '').padStart(axis)} ${i === 0 || row === 0 ? '┤' : '│'}`),
      accent(bars.join('').trimEnd()),
    ];
  });
  return [...rows, [dim(`${' '.repeat(axis + 3)}${labels(fitted, pitch)}`)]];
};

const dim = (text: string): Cell => ({ text, tone: 'dim' });
const accent = (text: string): Cell => ({ text, tone: 'accent' });

/** The part of a column in one row; `filled` is the column's height from this row up, in rows. */
const column = (filled: number, row: number, pitch: number): string => {
  const eighths = Math.round(Math.max(0, Math.min(1, filled)) * 8);
  // The bottom row always shows a mark, so that a day without cost differs from no day.
  const mark = levels[row === 0 ? Math.max(1, eighths) : eighths] ?? ' ';
  return pitch === 1 ? mark : `${mark.repeat(pitch - 1)} `;
};

/** First, middle and last label below their columns. */
const labels = (points: readonly Point[], pitch: number): string => {
  const width = points.length * pitch - (pitch > 1 ? 1 : 0);
  const [first, last] = [points[0]?.label ?? '', points.at(-1)?.label ?? ''];
  if (points.length < 2 || first.length + last.length + 2 > width) return first;
  const middle = Math.floor((points.length - 1) / 2);
  const word = points[middle]?.label ?? '';
  const at = middle * pitch;
  const roomy = at > first.length + 2 && at + word.length + 2 < width - last.length;
  const left = roomy ? `${first.padEnd(at)}${word}` : first;
  return `${left}${last.padStart(width - left.length)}`;
};

const fit = (points: readonly Point[], room: number): readonly Point[] => {
  const each = Math.ceil(points.length / Math.max(1, room));
  if (each <= 1) return points;
  return Array.from({ length: Math.ceil(points.length / each) }, (_, i) => {
    const group = points.slice(i * each, (i + 1) * each);
    return { label: group[0]?.label ?? '', value: group.reduce((sum, { value }) => sum + value, 0) };
  });
};
