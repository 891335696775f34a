import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { DAY_MS, formatInstant, HOUR_MS } from '../../../lib/time.ts';
import type { Zone } from '../../ui/format.ts';
import type { Params } from '../api.ts';
import type { Search } from './search.ts';
import { rangeOf, rangeParams, type TimeRange } from './time-range.ts';

/** What the address says a page is about. */
export type Scope = {
  readonly projectId: string;
  readonly search: Search;
  readonly range: TimeRange;
  /** Project, window and environment, as every endpoint takes them. */
  readonly params: Params;
  readonly zone: Zone;
  /** How often a page looks again: every few seconds when live, else not. */
  readonly every: number | false;
};

const LIVE_MS = 5_000;

export const useProjectId = (): string => useParams({ strict: false }).projectId ?? '';

export const useZone = (): Zone =>
  (useSearch({ strict: false }) as Search).tz === 'local' ? 'local' : 'utc';

export function useScope(): Scope {
  const projectId = useProjectId();
  const search = useSearch({ strict: false }) as Search;
  const range = rangeOf(search, Date.now());
  return {
    projectId,
    search,
    range,
    params: { projectId, ...rangeParams(range), environment: search.environment },
    zone: search.tz === 'local' ? 'local' : 'utc',
    every: search.live === '1' ? LIVE_MS : false,
  };
}

/** Changes the address of this page; undefined takes a key out. */
export function useSetSearch(): (patch: Search, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  return (patch, options = {}) =>
    void navigate({
      to: '.',
      search: ((before: Search) => ({ ...before, ...patch })) as never,
      replace: options.replace ?? false,
      resetScroll: false,
    });
}

/** The stretch of one bucket of a chart, as an address says it: what of it lies in the page's range. */
export const bucketSearch = (time: string, bucket: 'hour' | 'day', range: TimeRange): Search => {
  const start = Date.parse(time);
  const end = start + (bucket === 'hour' ? HOUR_MS : DAY_MS) - 1;
  const from = Math.max(start, range.from);
  const to = Math.min(end, range.to ?? end);
  return { start: formatInstant(from), end: formatInstant(to), range: undefined };
};
