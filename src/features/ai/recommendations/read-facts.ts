import type { Ctx } from '../../../context.ts';
import { parseFilter } from '../../../core/events/filter/contract.ts';
import { type EventFilters, eventsOf, type Window } from '../../../core/events/index.ts';
import { type Pricer, pricerOf } from '../../../core/pricing/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { AppError } from '../../../errors.ts';
import type { Workload } from './cache-gap.ts';
import { tierOf, UNATTENDED } from './cheaper-price.ts';
import type { RecommendationKind } from './contract.ts';
import { filterOfModel } from './filter-of-model.ts';
import { type HashedCall, REPEAT_FIELDS } from './repeated-prompts.ts';
import { FACT_MEASURES, type Facts } from './to-recommendation.ts';

/** Newest calls whose prompts are compared. */
const MOST_CALLS = 10_000;

/** What recommendations are computed from. */
type AllFacts = {
  readonly pricer: Pricer;
  readonly all: readonly Facts[];
  readonly failed: readonly Facts[];
  readonly cancelled: readonly Facts[];
  readonly unattended: readonly Facts[];
  readonly workloads: readonly Workload[];
  /** Calls above the first tier of their model's price. */
  readonly long: readonly { readonly facts: Facts; readonly above: number }[];
  readonly calls: readonly HashedCall[];
  readonly isCut: boolean;
  readonly skipped: readonly RecommendationKind[];
};

/** Models and workloads that are looked at: each has a cost for each day. */
const DEAREST = 2_000;
const isOne = ({ others }: { readonly others?: number | null }): boolean => others === undefined;

/** Reads the calls of a window by model, and those that a kind is about. */
export async function readFacts(
  ctx: Ctx,
  scope: EventScope & { readonly organizationId: string },
  { window, now }: { readonly window: Window; readonly now: number },
): Promise<AllFacts> {
  const events = eventsOf(ctx);
  const query = {
    measures: FACT_MEASURES,
    groupBy: ['provider', 'model'],
    window,
    costsBy: 'day',
    top: DEAREST,
  } as const;
  const read = (filter: string): Promise<readonly Facts[]> =>
    events
      .metrics(scope, { rows: { ...query, filters: filtersOf(filter) } })
      .then(({ rows }) => rows.filter(isOne) as Facts[]);
  const skipped: RecommendationKind[] = [];
  /** A read of single calls may be refused in a large project. */
  const unlessTooMany = async <T>(
    kind: RecommendationKind,
    reading: Promise<readonly T[]>,
  ): Promise<readonly T[]> => {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof AppError && error.status === 400)) throw error;
      skipped.push(kind);
      return [];
    }
  };
  const [pricer, all, failed, cancelled, unattended, workloads, newest] = await Promise.all([
    pricerOf(ctx, scope.organizationId),
    read(''),
    read('status:failed'),
    read('status:cancelled'),
    unlessTooMany('batch', read(UNATTENDED)),
    unlessTooMany(
      'cache-gap',
      events
        .metrics(scope, { rows: { ...query, groupBy: ['provider', 'model', 'agent', 'promptName'] } })
        .then(({ rows }) => rows.filter(isOne) as Workload[]),
    ),
    events.newest(scope, { filters: {}, calls: true, window, limit: MOST_CALLS, fields: REPEAT_FIELDS }),
  ]);
  const long = await unlessTooMany('context-tier', readLong(read, pricer, { all, now }));
  return {
    pricer,
    all,
    failed,
    cancelled,
    unattended,
    workloads,
    long,
    calls: newest,
    isCut: newest.length === MOST_CALLS,
    skipped,
  };
}

async function readLong(
  read: (filter: string) => Promise<readonly Facts[]>,
  pricer: Pricer,
  { all, now }: { readonly all: readonly Facts[]; readonly now: number },
): Promise<AllFacts['long']> {
  const tiered = all.flatMap((facts) => {
    const above = facts.model === null ? null : tierOf(pricer, facts, now);
    return above === null ? [] : [{ facts, above }];
  });
  const found = await Promise.all(
    tiered.map(async ({ facts, above }) => {
      const rows = await read(`${filterOfModel(facts)} input>${above}`);
      return rows.map((row) => ({ facts: row, above }));
    }),
  );
  return found.flat();
}

const filtersOf = (filter: string): EventFilters => (filter === '' ? {} : { where: parseFilter(filter) });
