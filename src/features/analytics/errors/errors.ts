import type { Ctx } from '../../../context.ts';
import type { EventStatus } from '../../../core/events/contract.ts';
import {
  type EventFilters,
  eventsOf,
  FAILED_STATUSES,
  missingEvents,
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
  const byGroup = { measures: ['requests'], groupBy: ['errorCode', 'status', 'model'] } as const;
  const answers = await eventsOf(ctx).metrics(scope, {
    totals: { measures: TOTALS, filters, window },
    previous: { measures: TOTALS, filters, window: before },
    previousGroups: { ...byGroup, filters: failures, window: before },
    first: { ...byGroup, filters: failures, window: first },
    second: { ...byGroup, filters: failures, window: second },
    last: { ...byGroup, filters: failures, window: last },
    limited: {
      measures: ['rateLimited'],
      bucket: 'hour',
      filters: { ...filters, status: failures.status.filter((status) => status === 'rate_limited') },
      window,
    },
  });
  return {
    errorGroups: toGroups([answers.first, answers.second, answers.last]),
    rateLimitHeatmap: answers.limited.map((row) => ({
      hour: formatInstant(row.time ?? 0),
      rate_limited_count: row.rateLimited,
    })),
    ...toTotals(onlyRow(answers.totals)),
    previous: {
      ...toTotals(onlyRow(answers.previous)),
      errorGroups: toGroups([answers.previousGroups]).length,
    },
    ...(await missingEvents(ctx, scope, window)),
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
type Group = { count: number; readonly thirds: number[]; readonly models: Map<string, number> };

/** @param thirds failed calls of each third of the window; one that failed without a code goes under its status */
function toGroups(thirds: readonly (readonly Failure[])[]): ErrorsReply['errorGroups'] {
  const groups = new Map<string, Group>();
  for (const [place, failures] of thirds.entries()) {
    for (const { errorCode, status, model: name, requests: count } of failures) {
      const code = errorCode ?? status ?? 'error';
      const model = name ?? NO_MODEL;
      const group = groups.get(code) ?? { count: 0, thirds: [0, 0, 0], models: new Map<string, number>() };
      groups.set(code, group);
      group.count += count;
      group.thirds[place] = (group.thirds[place] ?? 0) + count;
      group.models.set(model, (group.models.get(model) ?? 0) + count);
    }
  }
  return [...groups]
    .map(
      ([
        error_code,
        {
          count,
          thirds: [first = 0, , last = 0],
          models,
        },
      ]) => ({
        error_code,
        count,
        trend: trendOf(first, last),
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
