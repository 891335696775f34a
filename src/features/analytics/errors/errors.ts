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
  const filtersOfTold = areAll ? failures : onlyCodes(failures, codes);
  const parts = await eventsOf(ctx).metrics(scope, partsOf(filtersOfTold, window));
  const calls = {
    first: onlyRow(answers.firstCalls).requests,
    last: onlyRow(answers.lastCalls).requests,
  };
  const errorGroups = toGroups(codes, parts, calls);
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

/** Pairs of code and status that are read one by one. */
const PAIRS = {
  measures: ['requests'],
  groupBy: ['errorCode', 'status'],
  top: 2_000,
  topBy: 'requests',
} as const;
const PAIRS_OF_CODES = { ...PAIRS, top: MOST_ERROR_GROUPS * FAILED_STATUSES.length } as const;
const LEADING_MODELS = {
  measures: ['requests'],
  groupBy: ['errorCode', 'status', 'model'],
  leadersOf: ['errorCode', 'status'],
} as const;

/** The failed calls of a window with the model of most of them, and those of its first third and the halves of its last. */
function partsOf(filters: EventFilters, window: Window) {
  const { first, last } = thirdsOf(window);
  const middle = Math.ceil((last.from + last.to) / 2);
  return {
    all: { ...PAIRS_OF_CODES, filters, window },
    models: { ...LEADING_MODELS, filters, window },
    first: { ...PAIRS_OF_CODES, filters, window: first },
    beforeLast: { ...PAIRS_OF_CODES, filters, window: { from: last.from, to: middle } },
    newest: { ...PAIRS_OF_CODES, filters, window: { from: middle, to: last.to } },
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

type Parts = Readonly<
  Record<'all' | 'first' | 'beforeLast' | 'newest', readonly Pair[]> &
    Record<'models', readonly (Pair & { readonly model: string | null })[]>
>;

function toGroups(
  codes: readonly string[],
  { models, ...parts }: Parts,
  calls: { readonly first: number; readonly last: number },
): ErrorsReply['errorGroups'] {
  const [all, first, beforeLast, newest] = [parts.all, parts.first, parts.beforeLast, parts.newest].map(
    countsOf,
  );
  const leading = new Map(models.map((row) => [codeOf(row), row.model]));
  return codes
    .map((error_code) => {
      const latest = newest?.get(error_code) ?? 0;
      return {
        error_code,
        count: all?.get(error_code) ?? 0,
        trend: trendOf(
          {
            first: first?.get(error_code) ?? 0,
            last: (beforeLast?.get(error_code) ?? 0) + latest,
            newest: latest,
          },
          calls,
        ),
        top_model: leading.get(error_code) ?? NO_MODEL,
      };
    })
    .sort((a, b) => b.count - a.count || (a.error_code < b.error_code ? -1 : 1));
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

/** The first and the last third of a window. */
function thirdsOf({ from, to }: Window): Readonly<Record<'first' | 'last', Window>> {
  const third = Math.floor((to - from) / 3);
  return {
    first: { from, to: from + third },
    last: { from: to - third, to },
  };
}
