import type { MetricsFilter } from '../../core/events/contract.ts';
import { type EventFilters, filtersOf, metricsWindow, type Window } from '../../core/events/index.ts';

/** What each read of this feature is given: plain data. */
export type AnalyticsInput = {
  readonly filters: EventFilters;
  readonly window: Window;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** The input of a read from a request's query. */
export const toInput = (query: MetricsFilter, now: number): AnalyticsInput => ({
  filters: filtersOf(query),
  window: metricsWindow(query, now),
  now,
});

/** The window of equal length just before. */
export const before = ({ from, to }: Window): Window => ({ from: from - (to - from), to: from });
