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
import { trendOf } from './trend.ts';

/** Errors by code with their trend, and when rate limits were hit. */
export async function readErrors(ctx: Ctx, scope: EventScope, input: AnalyticsInput): Promise<ErrorsReply> {
  const { filters, window } = input;
  const failures = { ...filters, status: failedOf(filters) };
  const before = windowBefore(window);
  const [first, second, last] = thirdsOf(window);
  // The second half of the last third.
  const newest = { from: Math.ceil((last.from + last.to) / 2), to: last.to };
  const byGroup = { measures: ['requests'], groupBy: ['errorCode', 'status', 'model'] } as const;
  const asked = {
    totals: { measures: TOTALS, filters, window },
    previous: { measures: TOTALS, filters, window: before },
    previousGroups: { ...byGroup, filters: failures, window: before },
    first: { ...byGroup, filters: failures, window: first },
    second: { ...byGroup, filters: failures, window: second },
    beforeLast: { ...byGroup, filters: failures, window: { from: last.from, to: newest.from } },
    newest: { ...byGroup, filters: failures, window: newest },
    firstCalls: { measures: ['requests'], filters, window: first },
    lastCalls: { measures: ['requests'], filters, window: last },
    limited: {
      measures: ['rateLimited'],
      bucket: 'hour',
      filters: { ...filters, status: failures.status.filter((status) => status === 'rate_limited') },
      window,
    },
  } as const satisfies MetricsQueries;
  const answers = await eventsOf(ctx).metrics(scope, asked);
  return {
    errorGroups: toGroups([answers.first, answers.second, answers.beforeLast, answers.newest], {
      first: onlyRow(answers.firstCalls).requests,
      last: onlyRow(answers.lastCalls).requests,
    }),
    rateLimitHeatmap: answers.limited.map((row) => ({
      hour: formatInstant(row.time ?? 0),
      rate_limited_count: row.rateLimited,
    })),
    ...toTotals(onlyRow(answers.totals)),
    previous: {
      ...toTotals(onlyRow(answers.previous)),
      errorGroups: toGroups([answers.previousGroups]).length,
    },
    ...(await leftOut(ctx, scope, window, { metrics: asked })),
  };
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

type Failure = {
  readonly errorCode: string | null;
  readonly status: string | null;
  readonly model: string | null;
  readonly requests: number;
};
type Group = { count: number; readonly parts: number[]; readonly models: Map<string, number> };

/**
 * @param parts failed calls of the first and second third of the window, and of the halves of the last; one that failed
 * without a code goes under its status
 * @param calls all calls of the first and the last third
 */
function toGroups(
  parts: readonly (readonly Failure[])[],
  calls: { readonly first: number; readonly last: number } = { first: 0, last: 0 },
): ErrorsReply['errorGroups'] {
  const groups = new Map<string, Group>();
  for (const [place, failures] of parts.entries()) {
    for (const { errorCode, status, model: name, requests: count } of failures) {
      const code = errorCode ?? status ?? 'error';
      const model = name ?? NO_MODEL;
      const group = groups.get(code) ?? { count: 0, parts: [0, 0, 0, 0], models: new Map<string, number>() };
      groups.set(code, group);
      group.count += count;
      group.parts[place] = (group.parts[place] ?? 0) + count;
      group.models.set(model, (group.models.get(model) ?? 0) + count);
    }
  }
  return [...groups]
    .map(
      ([
        error_code,
        {
          count,
          parts: [first = 0, , beforeLast = 0, newest = 0],
          models,
        },
      ]) => ({
        error_code,
        count,
        trend: trendOf({ first, last: beforeLast + newest, newest }, calls),
        top_model: topOf(models),
      }),
    )
    .sort((a, b) => b.count - a.count || (a.error_code < b.error_code ? -1 : 1));
}

/** Three windows that make up one; the first and the last are equally long. */
function thirdsOf({ from, to }: Window): [Window, Window, Window] {
  const third = Math.floor((to - from) / 3);
  const [second, last] = [from + third, to - third];
  return [
    { from, to: second },
    { from: second, to: last },
    { from: last, to },
  ];
}

/** The most frequent; of equals the first by name. */
const topOf = (models: ReadonlyMap<string, number>): string =>
  [...models].reduce(
    (top, one) => (one[1] > top[1] || (one[1] === top[1] && one[0] < top[0]) ? one : top),
    ['', 0],
  )[0];
