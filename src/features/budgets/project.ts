import type { Window } from '../../core/events/index.ts';
import { DAY_MS } from '../../lib/time.ts';

/** Before so much of a period is over, what was spent in it says too little. */
const EARLY = 0.1;
/** What is looked at instead: the days before the period. */
export const LOOK_BACK_MS = 7 * DAY_MS;

/** Nano-dollars spent in a period so far, and in the days before it. */
export type Spending = { readonly spent: number; readonly before: number };

export type Projection = {
  /** Nano-dollars at the end of the period. */
  readonly projected: number;
  /** When the limit will be spent, in epoch milliseconds; null: not within the period, or it is already. */
  readonly exhaustedAt: number | null;
  readonly basis: string;
};

/** True while a projection goes by the days before the period. */
export const isEarly = (now: number, { from, to }: Window): boolean => (now - from) / (to - from) < EARLY;

/**
 * Spending at the end of a period if it goes on evenly: as it went in the period so far, or, in the first
 * tenth of it, as in the seven days before.
 */
export function projectSpending(
  { spent, before }: Spending,
  { now, window, limit }: { readonly now: number; readonly window: Window; readonly limit: number },
): Projection {
  const early = isEarly(now, window);
  const pace = early ? before / LOOK_BACK_MS : spent / Math.max(1, now - window.from);
  const left = window.to - now;
  const until = pace > 0 ? (limit - spent) / pace : Number.POSITIVE_INFINITY;
  return {
    projected: Math.round(spent + pace * left),
    exhaustedAt: spent < limit && until <= left ? Math.round(now + until) : null,
    basis: early ? 'the seven days before the period' : 'the period so far',
  };
}
