import type { MetricsFilter } from '../../core/events/contract.ts';
import { type EventFilters, filtersOf, metricsWindow, type Window } from '../../core/events/index.ts';
import { badRequest } from '../../errors.ts';
import { DAY_MS } from '../../lib/time.ts';

/** What each read of this feature is given: plain data. */
export type AnalyticsInput = {
  readonly filters: EventFilters;
  readonly window: Window;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** Replies list every day of a window, empty ones included: ten thousand years would be a hundred megabytes. */
const MAX_WINDOW_MS = 100 * 366 * DAY_MS;

/** The input of a read from a request's query. Throws 400 for more than a hundred years. */
export function toInput(query: MetricsFilter, now: number): AnalyticsInput {
  const window = metricsWindow(query, now);
  if (window.to - window.from > MAX_WINDOW_MS)
    throw badRequest('start: must not be more than 100 years before end');
  return { filters: filtersOf(query), window, now };
}

/** The row of a question without groups. */
export function onlyRow<R>([row]: readonly R[]): R {
  if (row === undefined) throw new Error('a question without groups has no row');
  return row;
}
