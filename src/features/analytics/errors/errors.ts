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
    ...partsOf(failures, window),
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
  // With more groups than are told, the parts above may lack some calls of those that are.
  const parts =
    codes.length === number
      ? answers
      : await eventsOf(ctx).metrics(scope, partsOf(onlyCodes(failures, codes), window));
  const errorGroups = toGroups(codes, parts, {
    first: onlyRow(answers.firstCalls).requests,
    last: onlyRow(answers.lastCalls).requests,
  });
  const totals = onlyRow(answers.totals);
  const told = errorGroups.reduce((sum, { count }) => sum + count, 0);
  return {
    errorGroups,
    ...(codes.length < number && {
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
const TRIPLES = { ...PAIRS, groupBy: ['errorCode', 'status', 'model'], top: 5_000 } as const;

/** The failed calls of a window in its first and second third and the halves of its last, and by model. */
function partsOf(filters: EventFilters, window: Window) {
  const { first, second, last } = thirdsOf(window);
  const middle = Math.ceil((last.from + last.to) / 2);
  return {
    first: { ...PAIRS, filters, window: first },
    second: { ...PAIRS, filters, window: second },
    beforeLast: { ...PAIRS, filters, window: { from: last.from, to: middle } },
    newest: { ...PAIRS, filters, window: { from: middle, to: last.to } },
    models: { ...TRIPLES, filters, window },
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
  Record<'first' | 'second' | 'beforeLast' | 'newest', readonly Pair[]> & {
    models: readonly (Pair & { readonly model: string | null })[];
  }
>;

/** @param calls all calls of the first and the last third */
function toGroups(
  codes: readonly string[],
  { first, second, beforeLast, newest, models }: Parts,
  calls: { readonly first: number; readonly last: number },
): ErrorsReply['errorGroups'] {
  const parts = [first, second, beforeLast, newest].map(countsOf);
  const byModel = modelsOf(models);
  return codes
    .map((error_code) => {
      const [early = 0, middle = 0, late = 0, latest = 0] = parts.map((part) => part.get(error_code));
      return {
        error_code,
        count: early + middle + late + latest,
        trend: trendOf({ first: early, last: late + latest, newest: latest }, calls),
        top_model: topOf(byModel.get(error_code) ?? new Map()),
      };
    })
    .sort((a, b) => b.count - a.count || (a.error_code < b.error_code ? -1 : 1));
}

/** The failed calls of each code by model. */
function modelsOf(
  rows: readonly (Pair & { readonly model: string | null })[],
): Map<string, Map<string, number>> {
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
