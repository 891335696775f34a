import type { Rule } from '../table.ts';
import { DAY, HOUR, type Span, WEEK, WINDOW_MINUTES } from './minutes.ts';

/** The spans of calls that decide about a rule at a minute. */
export type Windows = {
  readonly current: Span;
  /** Groups without calls in it are forgotten. */
  readonly presence: Span;
  /** What a change is compared with. */
  readonly before: Span | null;
  /** What an anomaly is compared with, newest week first. They stay the same within an hour. */
  readonly samples: readonly (readonly Span[])[];
};

const OFFSETS = { sameTimeYesterday: DAY, sameTimeLastWeek: WEEK } as const;

/** Weeks of an anomaly's baseline, and the ends of its windows in the hour of the week. */
const WEEKS = 4;
const SAMPLE_ENDS = [15, 30, 45, 60] as const;

/** @param at end of the window, in minutes since 1970 */
export function windowsOf({ window, condition }: Rule, at: number): Windows {
  const length = WINDOW_MINUTES[window];
  const current = { from: at - length, to: at };
  return {
    current,
    presence: { from: at - DAY, to: at },
    before: condition.kind === 'change' ? shift(current, offsetOf(condition.compare, length)) : null,
    samples: condition.kind === 'anomaly' ? samplesOf(length, at) : [],
  };
}

const offsetOf = (compare: 'previous' | keyof typeof OFFSETS, length: number): number =>
  compare === 'previous' ? length : OFFSETS[compare];

const shift = ({ from, to }: Span, by: number): Span => ({ from: from - by, to: to - by });

function samplesOf(length: number, at: number): Span[][] {
  // The hour that the window ends in: a window that ends on the hour belongs to the hour before.
  const hour = Math.floor((at - 1) / HOUR) * HOUR;
  return Array.from({ length: WEEKS }, (_, week) =>
    SAMPLE_ENDS.map((end) => {
      const to = hour + end - (week + 1) * WEEK;
      return { from: to - length, to };
    }),
  );
}
