import { type RecentDays, stillToCome } from '../../lib/forecast.ts';
import { DAY_MS, floorToDay } from '../../lib/time.ts';
import type { Window } from '../events/index.ts';

/** Nano-dollars spent in a period so far, and in the last days. */
export type Spending = { readonly spent: number; readonly recent: RecentDays };

export type Projection = {
  /** Nano-dollars at the end of the period; null before the first full day. */
  readonly projected: number | null;
  /** When the limit will be spent, in epoch milliseconds; null: not within the period, or it is already. */
  readonly exhaustedAt: number | null;
  readonly basis: string;
};

/** Spending at the end of a period: what was spent, and what the forecast of the costs expects of the days left. */
export function projectSpending(
  { spent, recent: { daily, spent: today } }: Spending,
  { now, window, limit }: { readonly now: number; readonly window: Window; readonly limit: number },
): Projection {
  const days = daily.length;
  const basis = days === 1 ? 'the last full day' : `the last ${days} full days`;
  if (days === 0) return { projected: null, exhaustedAt: null, basis: 'nothing: there is no full day yet' };
  const left = stillToCome(daily, (window.to - floorToDay(now)) / DAY_MS, today);
  const projected = Math.round(left.reduce((sum, nano) => sum + nano, spent));
  return { projected, exhaustedAt: spent < limit ? whenSpent(limit - spent, left, now) : null, basis };
}

/** When an amount is spent, if each day's spending is even and today's goes on from now; null if it never is. */
function whenSpent(amount: number, left: readonly number[], now: number): number | null {
  let rest = amount;
  let from = now;
  for (const nano of left) {
    const to = floorToDay(from) + DAY_MS;
    if (nano > 0 && nano >= rest) return Math.round(from + (rest / nano) * (to - from));
    rest -= nano;
    from = to;
  }
  return null;
}
