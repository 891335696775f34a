import { LRUCache } from 'lru-cache';
import type { Ctx, Service } from '../../context.ts';
import { DAY_MS, floorToDay } from '../../lib/time.ts';
import { MAX_DEPLOYMENTS, MAX_OBSERVED_PER_DAY } from './contract.ts';
import { listReleases, type ReleaseRow } from './queries.ts';

/** Most releases in memory, of all projects. */
const MAX_KEPT = 500_000;
const MAX_PROJECTS = 10_000;

/** Times of the events of a release in one environment, in epoch milliseconds. */
export type Times = { readonly first: number; readonly last: number };

/** All releases of a project that are stored, so that only news is written. */
export type KnownReleases = {
  readonly size: number;
  /** Whether the times of events are new: none are known, or earlier ones, or one of another day. */
  isNews(name: string, times: Times): boolean;
  /**
   * Whether a release may be written at `now`: it is known, or one of the new releases that the project may still have
   * today. Holds the place of a new one until `settle`.
   */
  admit(name: string, now: number): boolean;
  /** The times were written (`isStored`), or they were not. */
  settle(name: string, times: Times, isStored: boolean): void;
};

/** Names a release in an environment; neither contains a NUL. */
export const nameOf = (environment: string, release: string): string => `${environment}\0${release}`;

export const knownReleases: Service<LRUCache<string, KnownReleases>> = {
  name: 'deployments.known_releases',
  open: (ctx) =>
    new LRUCache({
      max: MAX_PROJECTS,
      maxSize: MAX_KEPT,
      sizeCalculation: ({ size }) => size + 1,
      fetchMethod: async (projectId) => createKnown(await listReleases(ctx, projectId)),
    }),
};

/** The known releases of a project. */
export async function knownReleasesOf(ctx: Ctx, projectId: string): Promise<KnownReleases> {
  const cache = ctx.use(knownReleases);
  return cache.get(projectId) ?? (await cache.forceFetch(projectId));
}

function createKnown(rows: readonly ReleaseRow[]): KnownReleases {
  const known = new Map(rows.map((row) => [nameOf(row.environment, row.release), timesOf(row)]));
  const created = rows.filter(({ source }) => source === 'observed').map((row) => row.createdAt.getTime());
  const pending = new Set<string>();
  const today = { start: 0, isNew: 0 };
  const newToday = (now: number): number => {
    if (floorToDay(now) !== today.start) {
      today.start = floorToDay(now);
      today.isNew = created.filter((at) => at >= today.start && at < today.start + DAY_MS).length;
    }
    return today.isNew;
  };
  return {
    get size() {
      return known.size;
    },
    isNews(name, { first, last }) {
      const times = known.get(name);
      return times === undefined || first < times.first || last > times.last + DAY_MS;
    },
    admit(name, now) {
      if (known.has(name) || pending.has(name)) return true;
      if (newToday(now) + pending.size >= MAX_OBSERVED_PER_DAY) return false;
      if (known.size + pending.size >= MAX_DEPLOYMENTS) return false;
      pending.add(name);
      return true;
    },
    settle(name, { first, last }, isStored) {
      pending.delete(name);
      if (!isStored) return;
      const times = known.get(name);
      if (times === undefined) today.isNew++;
      known.set(name, {
        first: Math.min(first, times?.first ?? first),
        last: Math.max(last, times?.last ?? last),
      });
    },
  };
}

const timesOf = ({ firstEventAt, lastEventAt }: ReleaseRow): Times => ({
  first: firstEventAt?.getTime() ?? Number.POSITIVE_INFINITY,
  last: lastEventAt?.getTime() ?? Number.NEGATIVE_INFINITY,
});
