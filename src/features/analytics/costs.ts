import { firstDay, queryMetrics, queryTotals } from '../../core/events/index.ts';
import type { Reader, ReadOp } from '../../db/reader.ts';
import { DAY_MS, floorToDay, formatInstant } from '../../lib/time.ts';
import type { CostsReply } from './contract.ts';
import { fillBuckets } from './fill-buckets.ts';
import { forecast } from './forecast.ts';
import { type AnalyticsInput, before } from './input.ts';

const FORECAST_DAYS = 30;

/** interface.md, GET /v1/costs. */
export const costsRead: ReadOp<AnalyticsInput, CostsReply> = {
  name: 'analytics.costs',
  run(reader, input) {
    return {
      ...readModels(reader, input),
      dailyTrend: readDailyTrend(reader, input),
      ...readMonth(reader, input),
      forecast30d: readForecast(reader, input),
      ...readTotals(reader, input),
      previousTotal: queryTotals(reader, {
        measures: ['cost'],
        filters: input.filters,
        window: before(input.window),
      }).cost,
    };
  },
};

function readTotals(
  reader: Reader,
  { filters, window }: AnalyticsInput,
): Pick<CostsReply, 'total' | 'calls' | 'unpriced' | 'cacheRate' | 'tokens'> {
  const tokens = ['inputTokens', 'freshTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
  const row = queryTotals(reader, {
    measures: ['cost', 'requests', 'unpriced', 'cacheRate', ...tokens, 'outputTokens', 'reasoningTokens'],
    filters,
    window,
  });
  return {
    total: row.cost,
    calls: row.requests,
    unpriced: row.unpriced,
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

/** By model over all providers, and by both what has no price. */
function readModels(
  reader: Reader,
  { filters, window }: AnalyticsInput,
): Pick<CostsReply, 'byModel' | 'unpricedModels'> {
  const measures = ['cost', 'requests', 'unpriced', 'inputTokens', 'outputTokens'] as const;
  const rows = queryMetrics(reader, { measures, groupBy: ['model', 'provider'], filters, window });
  const byModel = [...Map.groupBy(rows, (row) => row.model ?? 'unknown')]
    .map(([model, own]): CostsReply['byModel'][number] => {
      const sum = (measure: (typeof measures)[number]): number =>
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
  const unpricedModels = rows
    .filter((row) => row.unpriced > 0)
    .sort((a, b) => b.unpriced - a.unpriced)
    .map((row) => ({
      provider: row.provider,
      model: row.model ?? 'unknown',
      calls: row.unpriced,
      tokens: row.inputTokens + row.outputTokens,
    }));
  return { byModel, unpricedModels };
}

function readDailyTrend(reader: Reader, { filters, window }: AnalyticsInput): CostsReply['dailyTrend'] {
  const rows = queryMetrics(reader, { measures: ['cost'], filters, window, bucket: 'day' });
  return fillBuckets(rows, window, 'day').map(({ time, row }) => ({
    date: formatInstant(time).slice(0, 10),
    cost: row?.cost ?? 0,
  }));
}

function readMonth(
  reader: Reader,
  { filters, now }: AnalyticsInput,
): Pick<CostsReply, 'mtdTotal' | 'mtdUnpriced'> {
  const date = new Date(now);
  const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const measures = ['cost', 'unpriced'] as const;
  const { cost, unpriced } = queryTotals(reader, { measures, filters, window: { from, to: now + 1 } });
  return { mtdTotal: cost, mtdUnpriced: unpriced };
}

/** From the last 30 full days, fewer for a younger project. */
function readForecast(reader: Reader, { filters, now }: AnalyticsInput): number {
  const to = floorToDay(now);
  const from = Math.max(to - FORECAST_DAYS * DAY_MS, firstDay(reader) ?? to);
  if (from >= to) return 0;
  const rows = queryMetrics(reader, { measures: ['cost'], filters, window: { from, to }, bucket: 'day' });
  const daily = fillBuckets(rows, { from, to }, 'day').map(({ row }) => row?.cost ?? 0);
  return forecast(daily, FORECAST_DAYS);
}
