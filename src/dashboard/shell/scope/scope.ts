import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { formatInstant } from '../../../lib/time.ts';
import { type ChartBucket, lengthOf } from '../../ui/charts/chart-data.ts';
import { UTC, type Zone } from '../../ui/format.ts';
import {
  FILTERED_PAGES,
  kept,
  PAGES,
  type PageName,
  type SearchOf,
  textOf,
  type WindowSearch,
} from './search.ts';
import { rangeOf, rangeParams, type TimeRange } from './time-range.ts';

/** What the address says a page is about. */
export type Scope<P extends PageName = never> = {
  readonly projectId: string;
  readonly search: SearchOf<P>;
  readonly range: TimeRange;
  /** Project, window and environment, as every endpoint takes them. */
  readonly params: {
    readonly projectId: string;
    readonly start?: string | undefined;
    readonly end?: string | undefined;
    readonly environment: string | undefined;
    /** Undefined on pages that are not filtered. */
    readonly filter?: string | undefined;
  };
  readonly zone: Zone;
  /** How often a page looks again: every few seconds when live, else not. */
  readonly every: number | false;
};

const LIVE_MS = 5_000;

export const useProjectId = (): string => useParams({ strict: false }).projectId ?? '';

/** The zone that the signed-in person chose; UTC for everybody else. */
export const ZoneContext = createContext<Zone>(UTC);
export const useZone = (): Zone => useContext(ZoneContext);

/** @param page whose own search parameters are read beside the window; without it only the window */
export function useScope<P extends PageName = never>(page?: P): Scope<P> {
  const projectId = useProjectId();
  const given = useSearch({ strict: false });
  const own = textOf<(typeof PAGES)[P][number]>(page === undefined ? [] : PAGES[page])(given);
  const search = { ...kept(given), ...own };
  const isFiltered = page !== undefined && FILTERED_PAGES.includes(page);
  const zone = useZone();
  const range = rangeOf(search, Date.now(), zone);
  return {
    projectId,
    search,
    range,
    params: {
      projectId,
      ...rangeParams(range),
      environment: search.environment,
      ...(isFiltered && { filter: search.filter }),
    },
    zone,
    every: search.live === '1' ? LIVE_MS : false,
  };
}

/**
 * Changes the address of this page; undefined takes a key out.
 * `P`: the page, whose own search parameters can be changed beside the window.
 */
export function useSetSearch<P extends PageName = never>(): (
  patch: SearchOf<P>,
  options?: { replace?: boolean },
) => void {
  const navigate = useNavigate();
  return (patch, options = {}) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...patch }),
      replace: options.replace ?? false,
      resetScroll: false,
    });
}

/** The stretch of one bucket of a chart, as an address says it: what of it lies in the page's range. */
export const bucketSearch = (time: string, bucket: ChartBucket, range: TimeRange): WindowSearch =>
  stretchSearch(Date.parse(time), Date.parse(time) + lengthOf(bucket), range);

/** A stretch of time, `end` exclusive, in epoch milliseconds, as an address says it: what of it lies in the range. */
export const stretchSearch = (start: number, end: number, range: TimeRange): WindowSearch => {
  const from = Math.max(start, range.from);
  const to = Math.min(end - 1, range.to ?? end - 1);
  return { start: formatInstant(from), end: formatInstant(to), range: undefined };
};
