import { parseInstant } from '../../../lib/time.ts';
import { timeText, type Zone } from '../format.ts';

/** What a chart shows of time: epoch milliseconds, the end exclusive. */
type Within = { readonly start: number; readonly end: number; readonly zone: Zone };

/** A moment or a stretch as a chart shows it: epoch milliseconds, cut to the chart, and its whole time in words. */
export type Timed<T> = T & { readonly start: number; readonly end: number; readonly when: string };

const msOf = (at: string): number => parseInstant(at) ?? Number.NaN;

/** The marks within a stretch of time, oldest first. `at` is ISO 8601; one without a readable time is left out. */
export const shownMarks = <T extends { readonly at: string }>(
  marks: readonly T[],
  { start, end, zone }: Within,
): Timed<T>[] =>
  marks
    .map((mark) => ({ mark, at: msOf(mark.at) }))
    .filter(({ at }) => at >= start && at < end)
    .map(({ mark, at }) => ({ ...mark, start: at, end: at, when: timeText.minute(at, zone) }))
    .sort((a, b) => a.start - b.start);

/**
 * The ranges that touch a stretch of time, oldest first. ISO 8601; `to` null: the range lasts, so it ends now where the
 * chart goes on with a forecast.
 */
export const shownRanges = <T extends { readonly from: string; readonly to: string | null }>(
  ranges: readonly T[],
  { start, end, zone }: Within,
): Timed<T>[] =>
  ranges
    .map((range) => ({
      range,
      from: msOf(range.from),
      to: range.to === null ? Math.min(end, Math.max(Date.now(), msOf(range.from))) : msOf(range.to),
    }))
    .filter(({ from, to }) => to >= from && from < end && to >= start)
    .map(({ range, from, to }) => ({
      ...range,
      start: Math.max(from, start),
      end: Math.min(to, end),
      when: `${timeText.minute(from, zone)} – ${range.to === null ? 'now' : timeText.minute(to, zone)}`,
    }))
    .sort((a, b) => a.start - b.start);
