import type { FigureKind } from '../../../dashboard/ui/format.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { AlertDraft, AlertMeasure } from '../contract.ts';
import { measureUnit } from '../notify/measure-words.ts';
import type { AlertPreview } from '../preview/contract.ts';

/** A moment of a preview: the value of each series as `s0`, `s1` …, of costs the calls without a price as `u0` …, and `baseline` of the first. */
export type PreviewPoint = { readonly time: number } & Readonly<Record<string, number | null>>;

/** The series of a preview by time, in epoch milliseconds. */
export function toPoints({ from, stepMinutes, series }: AlertPreview): PreviewPoint[] {
  const start = Date.parse(from);
  const [first] = series;
  return (first?.points ?? []).map((_, place) => ({
    time: start + place * stepMinutes * MINUTE_MS,
    ...Object.fromEntries(series.map(({ points }, i) => [`s${i}`, points[place] ?? null])),
    ...Object.fromEntries(
      series.flatMap(({ unpriced }, i) => (unpriced === null ? [] : [[`u${i}`, unpriced[place] ?? null]])),
    ),
    ...(first?.baseline != null && { baseline: first.baseline[place] ?? null }),
  }));
}

/** A time in which some group would have fired, in epoch milliseconds. */
export type FiringSpan = {
  readonly from: number;
  readonly to: number;
  readonly state: 'warning' | 'critical';
};

/** The times to mark on the chart: those of all groups, joined where they overlap, by state. */
export function firingSpans({ spans, to: end }: AlertPreview): FiringSpan[] {
  return (['warning', 'critical'] as const).flatMap((state) => {
    const joined: FiringSpan[] = [];
    const own = spans
      .filter((span) => span.state === state)
      .map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to ?? end), state }))
      .sort((a, b) => a.from - b.from);
    for (const span of own) {
      const last = joined.at(-1);
      if (last === undefined || last.to < span.from) joined.push(span);
      else joined[joined.length - 1] = { ...last, to: Math.max(last.to, span.to) };
    }
    return joined;
  });
}

/** The thresholds that a chart draws. */
export const thresholdsOf = ({
  condition,
}: Pick<AlertDraft, 'condition'>): { critical?: number; warning?: number } =>
  condition.kind !== 'threshold'
    ? {}
    : {
        critical: condition.critical,
        ...(condition.warning !== undefined && { warning: condition.warning }),
      };

/** How values of a measure are written. */
export const kindOf = (measure: AlertMeasure): FigureKind => {
  const unit = measureUnit(measure);
  if (unit === 'fraction') return 'fraction';
  if (unit === 'USD') return 'money';
  return unit === 'ms' ? 'duration' : 'count';
};
