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
    const totals = readTotals(reader, input);
    return {
      byModel: readByModel(reader, input),
      dailyTrend: readDailyTrend(reader, input),
      ...readMonth(reader, input),
      forecast30d: readForecast(reader, input),
      ...totals,
      previousTotal: queryTotals(reader, {
        measures: ['cost'],
        filters: input.filters,
        window: before(input.window),
      }).cost,
      unpricedModels: totals.unpriced === 0 ? [] : readUnpricedModels(reader, input),
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

function readByModel(reader: Reader, { filters, window }: AnalyticsInput): CostsReply['byModel'] {
  const measures = ['cost', 'requests', 'unpriced', 'inputTokens', 'outputTokens'] as const;
  return queryMetrics(reader, { measures, groupBy: ['model'], filters, window })
    .sort((a, b) => b.cost - a.cost || b.requests - a.requests)
    .map((row) => ({
      model: row.model ?? 'unknown',
      total_cost: row.cost,
      calls: row.requests,
      avg_cost: row.cost / row.requests,
      unpriced: row.unpriced,
      input_tokens: row.inputTokens,
      output_tokens: row.outputTokens,
    }));
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

function readUnpricedModels(
  reader: Reader,
  { filters, window }: AnalyticsInput,
): CostsReply['unpricedModels'] {
  const measures = ['unpriced', 'inputTokens', 'outputTokens'] as const;
  return queryMetrics(reader, { measures, groupBy: ['provider', 'model'], filters, window })
    .filter((row) => row.unpriced > 0)
    .sort((a, b) => b.unpriced - a.unpriced)
    .map((row) => ({
      provider: row.provider,
      model: row.model ?? 'unknown',
      calls: row.unpriced,
      tokens: row.inputTokens + row.outputTokens,
    }));
}
