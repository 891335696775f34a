import { DAY_MS, startOfNextMonth } from '../../../lib/time.ts';

/** A month `YYYY-MM` as its name, its first day and the day after its last, as days since the epoch. */
export type Month = { readonly name: string; readonly from: number; readonly to: number };

export function monthOf(name: string): Month {
  const start = Date.UTC(Number(name.slice(0, 4)), Number(name.slice(5)) - 1, 1);
  return { name, from: start / DAY_MS, to: startOfNextMonth(start) / DAY_MS };
}

export const monthAfter = (name: string): string =>
  new Date(monthOf(name).to * DAY_MS).toISOString().slice(0, 7);
