import { firstDay, queryMetrics, queryTogether, queryTotals } from '../../core/events/index.ts';
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
      forecast30d: readForecast(reader, input),
      ...toTotals(totals),
      previousTotal: queryTotals(reader, { measures: ['cost'], filters, window: before(window) }).cost,
    };
  },
};

const TOTALS = [
  'cost',
  'requests',
  'unpriced',
  'cacheRate',
  'inputTokens',
  'freshTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'outputTokens',
  'reasoningTokens',
] as const;
const MODEL_MEASURES = ['cost', 'requests', 'unpriced', 'inputTokens', 'outputTokens'] as const;

type Row<M extends string> = Readonly<Record<M, number>>;
type ModelRow = Row<(typeof MODEL_MEASURES)[number]> & {
  readonly model: string | null;
  readonly provider: string | null;
};

function toTotals([row]: readonly Row<(typeof TOTALS)[number]>[]): Pick<
  CostsReply,
  'total' | 'calls' | 'unpriced' | 'cacheRate' | 'tokens'
> {
  if (row === undefined) throw new Error('totals without a row');
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

/** By model over all providers. */
function toModels(rows: readonly ModelRow[]): CostsReply['byModel'] {
  return [...Map.groupBy(rows, (row) => row.model ?? 'unknown')]
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
      model: row.model ?? 'unknown',
      calls: row.unpriced,
      tokens: row.inputTokens + row.outputTokens,
    }));

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
