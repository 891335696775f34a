import type { Ctx } from '../../../context.ts';
import { eventsOf, leftOut, type MetricsQueries, windowBefore } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { forecast, forecastWindow, type RecentDays, recentDays, stillToCome } from '../../../lib/forecast.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import { DAY_MS, floorToDay, formatInstant, startOfMonth, startOfNextMonth } from '../../../lib/time.ts';
import type { CostsReply } from '../contract.ts';
import { fillBuckets } from '../fill-buckets.ts';
import { type AnalyticsInput, onlyRow } from '../input.ts';
import { MOST_MODELS } from '../most.ts';

/** What the calls of a window cost, by model and day, with the calendar month and a forecast. */
export async function readCosts(ctx: Ctx, scope: EventScope, input: AnalyticsInput): Promise<CostsReply> {
  const { filters, window, now } = input;
  const events = eventsOf(ctx);
  const asked = {
    totals: { measures: TOTALS, filters, window },
    days: { measures: ['cost'], bucket: 'day', filters, window },
    models: { measures: MODEL_MEASURES, groupBy: ['model'], top: MOST_MODELS, filters, window },
    unpriced: {
      measures: UNPRICED_MEASURES,
      groupBy: ['model', 'provider'],
      top: MOST_MODELS,
      topBy: 'unpriced',
      filters,
      window,
    },
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
    ...toModels(answers.models),
    unpricedModels: toUnpriced(answers.unpriced),
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
const MODEL_MEASURES = ['cost', 'requests', 'unpriced', 'inputTokens', 'outputTokens'] as const;
const UNPRICED_MEASURES = ['unpriced', 'unpricedInputTokens', 'unpricedOutputTokens'] as const;

type Row<M extends string> = Readonly<Record<M, number>>;
type ModelRow = Row<(typeof MODEL_MEASURES)[number]> & {
  readonly model: string | null;
  readonly others?: number | null;
};
type UnpricedRow = Row<(typeof UNPRICED_MEASURES)[number]> &
  Pick<ModelRow, 'model' | 'others'> & { readonly provider: string | null };

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

function toModels(rows: readonly ModelRow[]): Pick<CostsReply, 'byModel' | 'otherModels'> {
  const figuresOf = ({ cost, requests, unpriced, inputTokens, outputTokens }: ModelRow) => ({
    total_cost: cost,
    calls: requests,
    unpriced,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
  });
  const other = rows.find(({ others }) => others !== undefined);
  return {
    byModel: rows
      .filter((row) => row !== other)
      .map((row) => ({
        model: row.model ?? NO_MODEL,
        ...figuresOf(row),
        avg_cost: row.requests === row.unpriced ? null : row.cost / (row.requests - row.unpriced),
      })),
    ...(other && { otherModels: { models: other.others ?? 0, ...figuresOf(other) } }),
  };
}

/** What has no price, by model and provider. */
const toUnpriced = (rows: readonly UnpricedRow[]): CostsReply['unpricedModels'] =>
  rows
    .filter(({ unpriced, others }) => unpriced > 0 && others === undefined)
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
