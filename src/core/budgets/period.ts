import { DAY_MS, floorToDay, startOfMonth, startOfNextMonth } from '../../lib/time.ts';
import type { Window } from '../events/index.ts';
import type { BudgetPeriod } from './contract.ts';

/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** The period that holds an instant: a UTC day, a week from Monday on, or a calendar month. */
export function periodAt(period: BudgetPeriod, now: number): Window {
  if (period === 'day') return { from: floorToDay(now), to: floorToDay(now) + DAY_MS };
  if (period === 'week') {
    const from = Math.floor((now - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
    return { from, to: from + WEEK_MS };
  }
  return { from: startOfMonth(now), to: startOfNextMonth(now) };
}
