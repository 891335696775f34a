import type { Ctx } from '../../../context.ts';
import { eventsOf, leftOut, type MetricsQueries, windowBefore } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { forecast, forecastWindow, type RecentDays, recentDays, stillToCome } from '../../../lib/forecast.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import { DAY_MS, floorToDay, formatInstant, startOfMonth, startOfNextMonth } from '../../../lib/time.ts';
import type { CostsReply } from '../contract.ts';
import { fillBuckets } from '../fill-buckets.ts';
import { type AnalyticsInput, onlyRow } from '../input.ts';

/** What the calls of a window cost, by model and day, with the calendar month and a forecast. */
export async function readCosts(ctx: Ctx, scope: EventScope, input: AnalyticsInput): Promise<CostsReply> {
  const { filters, window, now } = input;
  const events = eventsOf(ctx);
  const asked = {
    totals: { measures: TOTALS, filters, window },
    days: { measures: ['cost'], bucket: 'day', filters, window },
    models: { measures: MODEL_MEASURES, groupBy: ['model', 'provider'], filters, window },
    previous: { measures: ['cost'], filters, window: windowBefore(window) },
    month: { measures: ['cost', 'unpriced'], filters, window: { from: startOfMonth(now), to: now + 1 } },
    lastDays: { measures: ['cost'], costsBy: 'day', filters, window: forecastWindow(now) },
  } as const satisfies MetricsQueries;
  const [answers, { firstDay }] = await Promise.all([events.metrics(scope, asked), events.span(scope)]);
  const dailyTrend = fillBuckets(answers.days, window, 'day').map(({ time, row }) => ({
    date: formatInstant(time).slice(0, 10),
    cost: row?.cost ?? 0,
  }));
  return {
    byModel: toModels(answers.models),
    unpricedModels: toUnpriced(answers.models),
    dailyTrend,
    ...toMonth(onlyRow(answers.month), recentDays(onlyRow(answers.lastDays).costs, firstDay, now), now),
    ...toTotals(onlyRow(answers.totals)),
    previousTotal: onlyRow(answers.previous).cost,
    ...(await leftOut(ctx, scope, window, { metrics: asked })),
  };
}

const TOTALS = [
  'cost',
  'requests',
  'unpriced',
  'unpricedInputTokens',
  'unpricedOutputTokens',
  'cacheRate',
  'inputTokens',
  'freshTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'outputTokens',
  'reasoningTokens',
] as const;
const MODEL_MEASURES = [
  'cost',
  'requests',
  'unpriced',
  'unpricedInputTokens',
  'unpricedOutputTokens',
  'inputTokens',
  'outputTokens',
] as const;

type Row<M extends string> = Readonly<Record<M, number>>;
type ModelRow = Row<(typeof MODEL_MEASURES)[number]> & {
  readonly model: string | null;
  readonly provider: string | null;
};

function toTotals(
  row: Row<(typeof TOTALS)[number]>,
): Pick<CostsReply, 'total' | 'calls' | 'unpriced' | 'unpricedTokens' | 'cacheRate' | 'tokens'> {
  return {
    total: row.cost,
    calls: row.requests,
    unpriced: row.unpriced,
    unpricedTokens: row.unpricedInputTokens + row.unpricedOutputTokens,
    cacheRate: row.cacheRate,
    tokens: {
      input: row.inputTokens,
      fresh: row.freshTokens,
      cacheRead: row.cacheReadTokens,
      cacheWrite: row.cacheWriteTokens,
      output: row.outputTokens,
      reasoning: row.reasoningTokens,
    },
  };
}

/** By model over all providers. */
function toModels(rows: readonly ModelRow[]): CostsReply['byModel'] {
  return [...Map.groupBy(rows, (row) => row.model ?? NO_MODEL)]
    .map(([model, own]): CostsReply['byModel'][number] => {
      const sum = (measure: (typeof MODEL_MEASURES)[number]): number =>
        own.reduce((all, row) => all + row[measure], 0);
      const [total_cost, calls, unpriced] = [sum('cost'), sum('requests'), sum('unpriced')];
      return {
        model,
        total_cost,
        calls,
        avg_cost: calls === unpriced ? null : total_cost / (calls - unpriced),
        unpriced,
        input_tokens: sum('inputTokens'),
        output_tokens: sum('outputTokens'),
      };
    })
    .sort((a, b) => b.total_cost - a.total_cost || b.calls - a.calls);
}

/** What has no price, by model and provider. */
const toUnpriced = (rows: readonly ModelRow[]): CostsReply['unpricedModels'] =>
  rows
    .filter((row) => row.unpriced > 0)
    .sort((a, b) => b.unpriced - a.unpriced)
    .map((row) => ({
      provider: row.provider,
      model: row.model ?? NO_MODEL,
      calls: row.unpriced,
      tokens: row.unpricedInputTokens + row.unpricedOutputTokens,
    }));

/** The calendar month so far and at its end, and the next 30 days: by the line through the last full days. */
function toMonth(
  { cost, unpriced }: Row<'cost' | 'unpriced'>,
  { daily, spent }: RecentDays,
  now: number,
): Pick<CostsReply, 'mtdTotal' | 'mtdUnpriced' | 'monthEnd' | 'forecast30d' | 'forecastDays'> {
  const today = floorToDay(now);
  const left = stillToCome(daily, (startOfNextMonth(now) - today) / DAY_MS, spent);
  const days = left.map((usd, i) => ({ date: formatInstant(today + i * DAY_MS).slice(0, 10), cost: usd }));
  return {
    mtdTotal: cost,
    mtdUnpriced: unpriced,
    monthEnd:
      daily.length === 0 ? null : { total: days.reduce((sum, { cost: usd }) => sum + usd, cost), days },
    forecast30d: forecast(daily),
    forecastDays: daily.length,
  };
}
