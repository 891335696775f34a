import { firstDay, queryMetrics, queryTogether, queryTotals } from '../../../core/events/index.ts';
import type { Reader, ReadOp } from '../../../db/reader.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import { DAY_MS, floorToDay, formatInstant, startOfNextMonth } from '../../../lib/time.ts';
import type { CostsReply } from '../contract.ts';
import { fillBuckets } from '../fill-buckets.ts';
import { type AnalyticsInput, before } from '../input.ts';
import { forecast, stillToCome } from './forecast.ts';

const FORECAST_DAYS = 30;

/** interface.md, GET /v1/costs. */
export const costsRead: ReadOp<AnalyticsInput, CostsReply> = {
  name: 'analytics.costs',
  run(reader, input) {
    const { filters, window } = input;
    const { totals, days, models } = queryTogether(reader, input, {
      totals: { measures: TOTALS },
      days: { measures: ['cost'], bucket: 'day' },
      models: { measures: MODEL_MEASURES, groupBy: ['model', 'provider'] },
    });
    const dailyTrend = fillBuckets(days, window, 'day').map(({ time, row }) => ({
      date: formatInstant(time).slice(0, 10),
      cost: row?.cost ?? 0,
    }));
    return {
      byModel: toModels(models),
      unpricedModels: toUnpriced(models),
      dailyTrend,
      ...readMonth(reader, input),
      ...toTotals(totals),
      previousTotal: queryTotals(reader, { measures: ['cost'], filters, window: before(window) }).cost,
    };
  },
};

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

function toTotals([row]: readonly Row<(typeof TOTALS)[number]>[]): Pick<
  CostsReply,
  'total' | 'calls' | 'unpriced' | 'unpricedTokens' | 'cacheRate' | 'tokens'
> {
  if (row === undefined) throw new Error('totals without a row');
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
      const [total_cost, calls] = [sum('cost'), sum('requests')];
      return {
        model,
        total_cost,
        calls,
        avg_cost: total_cost / calls,
        unpriced: sum('unpriced'),
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
function readMonth(
  reader: Reader,
  { filters, now }: AnalyticsInput,
): Pick<CostsReply, 'mtdTotal' | 'mtdUnpriced' | 'monthEnd' | 'forecast30d'> {
  const date = new Date(now);
  const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const measures = ['cost', 'unpriced'] as const;
  const { cost, unpriced } = queryTotals(reader, { measures, filters, window: { from, to: now + 1 } });
  const { daily, spent } = readDays(reader, { filters, now });
  const today = floorToDay(now);
  const left = stillToCome(daily, (startOfNextMonth(now) - today) / DAY_MS, spent);
  const days = left.map((usd, i) => ({ date: formatInstant(today + i * DAY_MS).slice(0, 10), cost: usd }));
  return {
    mtdTotal: cost,
    mtdUnpriced: unpriced,
    monthEnd:
      daily.length === 0 ? null : { total: days.reduce((sum, { cost: usd }) => sum + usd, cost), days },
    forecast30d: forecast(daily, FORECAST_DAYS),
  };
}

/** USD of each of the last 30 full days, fewer for a younger project, and of today so far. */
function readDays(
  reader: Reader,
  { filters, now }: Pick<AnalyticsInput, 'filters' | 'now'>,
): { daily: number[]; spent: number } {
  const today = floorToDay(now);
  const from = Math.max(today - FORECAST_DAYS * DAY_MS, firstDay(reader) ?? today);
  const window = { from: Math.min(from, today), to: now + 1 };
  const rows = queryMetrics(reader, { measures: ['cost'], filters, window, bucket: 'day' });
  const full = { from: window.from, to: today };
  return {
    daily:
      full.from === full.to
        ? []
        : fillBuckets(
            rows.filter(({ time }) => (time ?? 0) < today),
            full,
            'day',
          ).map(({ row }) => row?.cost ?? 0),
    spent: rows.find(({ time }) => time === today)?.cost ?? 0,
  };
}
