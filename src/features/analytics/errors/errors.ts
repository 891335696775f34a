import type { Ctx } from '../../../context.ts';
import type { EventStatus } from '../../../core/events/contract.ts';
import {
  type EventFilters,
  eventsOf,
  FAILED_STATUSES,
  leftOut,
  type MetricsQueries,
  type Window,
  windowBefore,
} from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { ErrorsReply } from '../contract.ts';
import { type AnalyticsInput, onlyRow } from '../input.ts';
import { MOST_ERROR_GROUPS } from '../most.ts';
import { trendOf } from './trend.ts';

/** Errors by code with their trend, and when rate limits were hit. */
export async function readErrors(ctx: Ctx, scope: EventScope, input: AnalyticsInput): Promise<ErrorsReply> {
  const { filters, window } = input;
  const failures = { ...filters, status: failedOf(filters) };
  const before = windowBefore(window);
  const asked = {
    totals: { measures: TOTALS, filters, window },
    previous: { measures: TOTALS, filters, window: before },
    groups: { ...PAIRS, filters: failures, window },
    previousGroups: { ...PAIRS, filters: failures, window: before },
    firstCalls: { measures: ['requests'], filters, window: thirdsOf(window).first },
    lastCalls: { measures: ['requests'], filters, window: thirdsOf(window).last },
    limited: {
      measures: ['rateLimited'],
      bucket: 'hour',
      filters: { ...filters, status: failures.status.filter((status) => status === 'rate_limited') },
      window,
    },
  } as const satisfies MetricsQueries;
  const answers = await eventsOf(ctx).metrics(scope, asked);
  const counts = countsOf(answers.groups);
  const codes = [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_ERROR_GROUPS)
    .map(([code]) => code);
  const number = numberOf(answers.groups);
  const areAll = codes.length === number;
  // Read afterwards, so that the parts and models of groups that are not told are not read at all.
  const parts = await eventsOf(ctx).metrics(
    scope,
    partsOf(areAll ? failures : onlyCodes(failures, codes), window),
  );
  const calls = {
    first: onlyRow(answers.firstCalls).requests,
    last: onlyRow(answers.lastCalls).requests,
  };
  // The rarest statuses of a code may be among those that are not told.
  const errorGroups = toGroups(codes, parts, { calls, counts: areAll ? counts : null });
  const totals = onlyRow(answers.totals);
  const told = errorGroups.reduce((sum, { count }) => sum + count, 0);
  return {
    errorGroups,
    ...(!areAll && {
      otherGroups: { groups: number - codes.length, count: Math.max(0, totals.errors - told) },
    }),
    rateLimitHeatmap: answers.limited.map((row) => ({
      hour: formatInstant(row.time ?? 0),
      rate_limited_count: row.rateLimited,
    })),
    ...toTotals(totals),
    previous: {
      ...toTotals(onlyRow(answers.previous)),
      errorGroups: numberOf(answers.previousGroups),
    },
    ...(await leftOut(ctx, scope, window, { metrics: asked })),
  };
}

/** Pairs of code and status, and triples with the model, that are read one by one. */
const PAIRS = {
  measures: ['requests'],
  groupBy: ['errorCode', 'status'],
  top: 2_000,
  topBy: 'requests',
} as const;
const PAIRS_OF_CODES = { ...PAIRS, top: MOST_ERROR_GROUPS * FAILED_STATUSES.length } as const;
const TRIPLES = { ...PAIRS, groupBy: ['errorCode', 'status', 'model'], top: 5_000 } as const;

/**
 * The failed calls of a window in its first and second third and the halves of its last, each also by model: two
 * queries of the same calls take one pass over them.
 */
function partsOf(filters: EventFilters, window: Window) {
  const { first, second, last } = thirdsOf(window);
  const middle = Math.ceil((last.from + last.to) / 2);
  const [beforeLast, newest] = [
    { from: last.from, to: middle },
    { from: middle, to: last.to },
  ];
  return {
    first: { ...PAIRS_OF_CODES, filters, window: first },
    second: { ...PAIRS_OF_CODES, filters, window: second },
    beforeLast: { ...PAIRS_OF_CODES, filters, window: beforeLast },
    newest: { ...PAIRS_OF_CODES, filters, window: newest },
    firstModels: { ...TRIPLES, filters, window: first },
    secondModels: { ...TRIPLES, filters, window: second },
    beforeLastModels: { ...TRIPLES, filters, window: beforeLast },
    newestModels: { ...TRIPLES, filters, window: newest },
  } as const;
}

type Pair = {
  readonly errorCode: string | null;
  readonly status: string | null;
  readonly requests: number;
  readonly others?: number | null;
};

/** One that failed without a code goes under its status. */
const codeOf = ({ errorCode, status }: Pick<Pair, 'errorCode' | 'status'>): string =>
  errorCode ?? status ?? 'error';

/** The calls of each code. */
function countsOf(pairs: readonly Pair[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const pair of pairs)
    if (pair.others === undefined) counts.set(codeOf(pair), (counts.get(codeOf(pair)) ?? 0) + pair.requests);
  return counts;
}

const numberOf = (pairs: readonly Pair[]): number =>
  countsOf(pairs).size + pairs.reduce((sum, { others }) => sum + (others ?? 0), 0);

const onlyCodes = (filters: EventFilters, codes: readonly string[]): EventFilters => ({
  ...filters,
  where: [...(filters.where ?? []), { field: 'error', not: false, values: codes }],
});

type Triple = Pair & { readonly model: string | null };
type Part = 'first' | 'second' | 'beforeLast' | 'newest';
type Parts = Readonly<Record<Part, readonly Pair[]> & Record<`${Part}Models`, readonly Triple[]>>;

type Known = {
  /** All calls of the first and the last third. */
  readonly calls: { readonly first: number; readonly last: number };
  /** The failed calls of each code; null where they are the sum of the parts. */
  readonly counts: ReadonlyMap<string, number> | null;
};

function toGroups(
  codes: readonly string[],
  { first, second, beforeLast, newest, ...models }: Parts,
  { calls, counts }: Known,
): ErrorsReply['errorGroups'] {
  const parts = [first, second, beforeLast, newest].map(countsOf);
  const byModel = modelsOf([
    ...models.firstModels,
    ...models.secondModels,
    ...models.beforeLastModels,
    ...models.newestModels,
  ]);
  return codes
    .map((error_code) => {
      const [early = 0, middle = 0, late = 0, latest = 0] = parts.map((part) => part.get(error_code));
      return {
        error_code,
        count: counts?.get(error_code) ?? early + middle + late + latest,
        trend: trendOf({ first: early, last: late + latest, newest: latest }, calls),
        top_model: topOf(byModel.get(error_code) ?? new Map()),
      };
    })
    .sort((a, b) => b.count - a.count || (a.error_code < b.error_code ? -1 : 1));
}

/** The failed calls of each code by model. */
function modelsOf(rows: readonly Triple[]): Map<string, Map<string, number>> {
  const models = new Map<string, Map<string, number>>();
  for (const row of rows) {
    if (row.others !== undefined) continue;
    const own = models.get(codeOf(row)) ?? new Map<string, number>();
    models.set(codeOf(row), own);
    const model = row.model ?? NO_MODEL;
    own.set(model, (own.get(model) ?? 0) + row.requests);
  }
  return models;
}

const TOTALS = ['errors', 'requests', 'errorRate'] as const;

const toTotals = ({ errors, requests, errorRate }: Readonly<Record<(typeof TOTALS)[number], number>>) => ({
  totalErrors: errors,
  totalCalls: requests,
  errorRate,
});

/** The failed statuses that are asked for: none where only others are. */
export function failedOf({ status }: EventFilters): EventStatus[] {
  const wanted = status === undefined ? FAILED_STATUSES : [status].flat();
  return FAILED_STATUSES.filter((one) => wanted.some((other) => other === one));
}

/** Three windows that make up one; the first and the last are equally long. */
function thirdsOf({ from, to }: Window): Readonly<Record<'first' | 'second' | 'last', Window>> {
  const third = Math.floor((to - from) / 3);
  return {
    first: { from, to: from + third },
    second: { from: from + third, to: to - third },
    last: { from: to - third, to },
  };
}

/** The most frequent; of equals the first by name. */
const topOf = (models: ReadonlyMap<string, number>): string => {
  const [top = NO_MODEL] = [...models].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0] ?? [];
  return top;
};
