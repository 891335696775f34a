import { DAY_MS } from '../../lib/time.ts';
import type { EventsQuery, MetricsFilter } from './contract.ts';
import type { EventFilters, Selection, Window } from './selection.ts';

/** Length of the window that is looked at when none is given (interface.md, Limits). */
const DEFAULT_WINDOW_MS = 30 * DAY_MS;
/** The latest time that a Date can hold. */
const END_OF_TIME = 8.64e15;

/** The part of a query that says which events. */
export function filtersOf(query: Omit<MetricsFilter, 'start' | 'end'>): EventFilters {
  const { model, provider, status, environment, userId, sessionId, kind, errorCode } = query;
  return { model, provider, status, environment, userId, sessionId, kind, errorCode };
}

/** `start` and `end`, both inclusive, as a window; the 30 days to `end`, and to now, unless given. */
export function metricsWindow({ start, end }: Pick<MetricsFilter, 'start' | 'end'>, now: number): Window {
  const last = end ?? Math.max(now, start ?? now);
  return { from: start ?? last - DEFAULT_WINDOW_MS, to: last + 1 };
}

/** What a list is of: calls unless a kind is asked for, of all time unless bounds are given. */
export function listSelection(
  query: EventsQuery,
  byDefault: 'calls' | 'all',
): Selection & { window: Window } {
  const { kind, start, end, keyId, tag, costStatus, ...rest } = query;
  const filters = filtersOf({ ...rest, kind: kind === 'all' ? undefined : kind });
  const window = { from: start ?? 0, to: end === undefined ? END_OF_TIME : end + 1 };
  const calls = kind === undefined && byDefault === 'calls';
  return { filters: { ...filters, keyId, tag, costStatus }, calls, window };
}
