import type { AlertInput } from '../contract.ts';

/** Lengths of windows in minutes. */
export const WINDOW_MINUTES = {
  '5m': 5,
  '10m': 10,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '2h': 120,
  '4h': 240,
  '1d': 1_440,
  '7d': 10_080,
} as const satisfies Record<AlertInput['window'], number>;

export const HOUR = 60;
export const DAY = 1_440;
export const WEEK = 10_080;

/** A time in whole minutes since 1970, half-open. */
export type Span = { readonly from: number; readonly to: number };

/** Lengths of cells in minutes, longest first. Each is a multiple of the next. */
export const STEPS = [DAY, HOUR, 5, 1] as const;
export type StepLength = (typeof STEPS)[number];

/** Calls `use` for the fewest cells that make up a span, in no order. `index` is a cell's start divided by its length. */
export function eachCell(
  { from, to }: Span,
  use: (step: StepLength, index: number) => void,
  level = 0,
): void {
  if (from >= to) return;
  const step = STEPS[level] as StepLength;
  const first = Math.ceil(from / step);
  const end = Math.floor(to / step);
  if (first >= end) {
    // The span may still be longer than a cell of the next level.
    if (step !== 1) eachCell({ from, to }, use, level + 1);
    return;
  }
  for (let index = first; index < end; index++) use(step, index);
  if (step === 1) return;
  eachCell({ from, to: first * step }, use, level + 1);
  eachCell({ from: end * step, to }, use, level + 1);
}
