import { startDaysAgo } from '../../lib/time.ts';
import type { EventsQuery, MetricsFilter } from './contract.ts';
import type { EventFilters, Selection, Window } from './selection.ts';

/** Days before the end at which a window begins by default. */
const DEFAULT_DAYS = 30;
/** The latest time that a Date can represent. */
const END_OF_TIME = 8.64e15;

/** The event filters of a query. */
export function filtersOf(query: Omit<MetricsFilter, 'start' | 'end'>): EventFilters {
  const { model, provider, status, environment, userId, sessionId, kind, errorCode, filter } = query;
  return { model, provider, status, environment, userId, sessionId, kind, errorCode, where: filter };
}

/**
 * Converts `start` and `end`, both inclusive, to a window. `end` defaults to now, `start` to the start of the UTC day
 * 30 days before `end`, so that the first day is a whole one.
 */
export function metricsWindow({ start, end }: Pick<MetricsFilter, 'start' | 'end'>, now: number): Window {
  const last = end ?? Math.max(now, start ?? now);
  return { from: start ?? startDaysAgo(last, DEFAULT_DAYS), to: last + 1 };
}

/** The window of equal length just before: what changes compare with. */
export const windowBefore = ({ from, to }: Window): Window => ({ from: from - (to - from), to: from });

/** The selection of a list: calls unless a kind is given, of all time unless bounds are given. */
export function listSelection(
  query: Omit<EventsQuery, 'cursor' | 'limit'>,
  byDefault: 'calls' | 'all',
): Selection & { window: Window } {
  const { kind, start, end, keyId, tag, costStatus, ...rest } = query;
  const filters = filtersOf({ ...rest, kind: kind === 'all' ? undefined : kind });
  const window = { from: start ?? 0, to: end === undefined ? END_OF_TIME : end + 1 };
  const calls = kind === undefined && byDefault === 'calls';
  return { filters: { ...filters, keyId, tag, costStatus }, calls, window };
}
