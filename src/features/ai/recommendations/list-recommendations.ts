import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import { type Pricer, pricerOf, priceSum } from '../../../core/pricing/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import { standardError } from '../../../lib/stats/mean-interval.ts';
import { DAY_MS, floorToDay } from '../../../lib/time.ts';
import type { Recommendation } from './contract.ts';
import { smallerModels } from './smaller-models.ts';

const DAYS = 30;
/** Least amount in USD, and as a part of all cost. */
const LEAST_USD = 1;
const LEAST_PART = 0.01;
/** Least calls of a model that is to be replaced, and most output tokens of its mean call: short answers are simple ones. */
const LEAST_CALLS = 100;
const MOST_OUTPUT = 200;
const MOST = 50;
const Z = 1.96;

const MEASURES = [
  'requests',
  'cost',
  'unpriced',
  'freshTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'outputTokens',
  'reasoningTokens',
] as const;

type Row = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly costs: readonly number[];
} & Readonly<Record<(typeof MEASURES)[number], number>>;

/** What would have saved money in the last 30 days, from totals and today's prices. */
export async function listRecommendations(
  ctx: Ctx,
  scope: EventScope & { readonly organizationId: string },
  now: number,
): Promise<Recommendation[]> {
  const window = { from: floorToDay(now) - (DAYS - 1) * DAY_MS, to: now + 1 };
  const query = { measures: MEASURES, groupBy: ['provider', 'model'], window, costsBy: 'day' } as const;
  const [{ all, failed }, pricer] = await Promise.all([
    eventsOf(ctx).metrics(scope, {
      all: query,
      failed: { ...query, filters: { where: [{ field: 'status', not: false, values: ['failed'] }] } },
    }),
    pricerOf(ctx, scope.organizationId),
  ]);
  const least = Math.max(LEAST_USD, LEAST_PART * all.reduce((sum, { cost }) => sum + cost, 0));
  return [
    ...failed.flatMap((row) => failedCalls(row)),
    ...all.flatMap((row) => cheaperModel(pricer, row, now)),
  ]
    .filter(({ monthlyUsd }) => monthlyUsd >= least)
    .toSorted((a, b) => b.monthlyUsd - a.monthlyUsd || (a.id < b.id ? -1 : 1))
    .slice(0, MOST);
}

/** Calls that failed and were billed all the same. */
function failedCalls(row: Row): Recommendation[] {
  if (row.model === null || row.cost <= 0) return [];
  return [
    toRecommendation(row, row.model, {
      kind: 'failed-calls',
      title: `Avoid failed calls of ${row.model}: they were paid`,
      to: null,
      monthlyUsd: row.cost,
      confidence: 'high',
      filter: `${termOf('model', row.model)} status:failed`,
    }),
  ];
}

/** A smaller model of the same family, for calls with short answers. The same tokens are assumed. */
function cheaperModel(pricer: Pricer, row: Row, now: number): Recommendation[] {
  const { model, requests, outputTokens, reasoningTokens } = row;
  if (model === null || row.unpriced > 0 || requests < LEAST_CALLS || outputTokens / requests > MOST_OUTPUT)
    return [];
  const buckets = {
    fresh: row.freshTokens,
    cacheRead: row.cacheReadTokens,
    cacheWrite5m: row.cacheWriteTokens,
    cacheWrite1h: 0,
    output: outputTokens - reasoningTokens,
    reasoning: reasoningTokens,
  };
  for (const to of smallerModels(model)) {
    const priced = priceSum(pricer, { provider: row.provider, model: to, ts: now, buckets, calls: requests });
    const saved = priced === null ? 0 : row.cost - priced.nano / 1e9;
    if (saved <= 0) continue;
    return [
      toRecommendation(row, model, {
        kind: 'cheaper-model',
        title: `Try ${to} for calls of ${model} with short answers`,
        to,
        monthlyUsd: saved,
        confidence: 'low',
        filter: termOf('model', model),
      }),
    ];
  }
  return [];
}

type Told = Pick<Recommendation, 'kind' | 'title' | 'to' | 'monthlyUsd' | 'confidence'> & {
  readonly filter: string;
};

function toRecommendation(row: Row, model: string, { filter, ...told }: Told): Recommendation {
  // What is saved of a day is the same part of its cost as of all days.
  const margin =
    row.cost <= 0 ? 0 : (told.monthlyUsd / row.cost) * Z * standardError(row.costs) * row.costs.length;
  return {
    id: Buffer.from(JSON.stringify([told.kind, row.provider, model, told.to])).toString('base64url'),
    ...told,
    provider: row.provider,
    model,
    range: { lowUsd: Math.max(0, told.monthlyUsd - margin), highUsd: told.monthlyUsd + margin },
    evidence: {
      calls: row.requests,
      costUsd: row.cost,
      outputTokensAvg: row.requests === 0 ? 0 : row.outputTokens / row.requests,
    },
    query: { measures: ['cost', 'requests'], filter, range: '30d' },
  };
}
