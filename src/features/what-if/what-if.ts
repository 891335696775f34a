import type { Ctx } from '../../context.ts';
import { deletedCalls, eventsOf, metricsWindow, type Window } from '../../core/events/index.ts';
import {
  canonicalModel,
  hasBatchDiscount,
  type Pricer,
  pricerOf,
  priceSum,
  type UsageBuckets,
} from '../../core/pricing/index.ts';
import type { EventScope } from '../../core/tenancy/index.ts';
import { NO_MODEL } from '../../lib/no-model.ts';
import { formatInstant, startDaysAgo } from '../../lib/time.ts';
import { assumptionsOf } from './assumptions.ts';
import type { WhatIf, WhatIfQuery } from './contract.ts';

export type WhatIfInput = Omit<WhatIfQuery, 'projectId'> & { readonly now: number };

/** What batches cost of the list price where a provider has them. */
const BATCH_FACTOR = 0.5;

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

/** What the calls of the last days would have cost, were something otherwise: from sums, by the prices of today. */
export async function readWhatIf(
  ctx: Ctx,
  scope: EventScope & { readonly organizationId: string },
  input: WhatIfInput,
): Promise<WhatIf> {
  const window = windowOf(input);
  const filters = { model: input.from, environment: input.environment };
  const asked = {
    rows: { measures: MEASURES, groupBy: ['provider', 'model'], window, filters },
  } as const;
  const [{ rows }, pricer] = await Promise.all([
    eventsOf(ctx).metrics(scope, asked),
    pricerOf(ctx, scope.organizationId),
  ]);
  const models = rows
    .map((row) => expect(pricer, input, row))
    .sort((a, b) => (b.actual ?? 0) - (a.actual ?? 0) || b.calls - a.calls);
  return {
    from: formatInstant(window.from),
    to: formatInstant(window.to - 1),
    models,
    total: totalOf(models),
    assumptions: assumptionsOf(input),
    ...(await deletedCalls(ctx, scope, { metrics: asked }, window)),
  };
}

/** The last whole days and today, as everywhere, unless bounds are given. */
const windowOf = ({ start, end, days, now }: WhatIfInput): Window =>
  start === undefined && end === undefined
    ? { from: startDaysAgo(now, days), to: now + 1 }
    : metricsWindow({ start, end }, now);

type Sums = { readonly provider: string | null; readonly model: string | null } & Readonly<
  Record<(typeof MEASURES)[number], number>
>;

function expect(pricer: Pricer, input: WhatIfInput, sums: Sums): WhatIf['models'][number] {
  const target = targetOf(input.model, sums);
  const priced = priceSum(pricer, {
    ...target,
    ts: input.now,
    buckets: bucketsOf(sums, input.caching ?? 0),
    calls: sums.requests,
  });
  // Calls without a price have no cost to compare with.
  const actual = sums.unpriced === sums.requests ? null : sums.cost;
  const { provider } = canonicalModel(target.provider, target.model ?? '');
  const batches = input.batch !== undefined && input.batch > 0;
  const discounted = batches && hasBatchDiscount(provider);
  const factor = (discounted ? 1 - (input.batch ?? 0) * (1 - BATCH_FACTOR) : 1) * (input.sample ?? 1);
  const expected = priced === null ? null : (priced.nano * factor) / 1e9;
  const isComparable = actual !== null && expected !== null && sums.unpriced === 0;
  return {
    provider: sums.provider,
    model: sums.model ?? NO_MODEL,
    as: [target.provider, target.model].filter((part) => part !== null).join('/'),
    calls: sums.requests,
    unpriced: sums.unpriced,
    actual,
    expected,
    difference: isComparable ? expected - actual : null,
    note: noteOf({ isPriced: priced !== null, unpriced: sums.unpriced, ignored: batches && !discounted }),
  };
}

function targetOf(
  wish: string | undefined,
  { provider, model }: Sums,
): { provider: string | null; model: string | null } {
  if (wish === undefined) return { provider, model };
  const slash = wish.indexOf('/');
  return slash < 1
    ? { provider, model: wish }
    : { provider: wish.slice(0, slash), model: wish.slice(slash + 1) };
}

/** Writes to the cache are kept as one sum: all are taken for 5-minute ones. */
function bucketsOf(sums: Sums, caching: number): UsageBuckets {
  const served = Math.floor(sums.freshTokens * caching);
  return {
    fresh: sums.freshTokens - served,
    cacheRead: sums.cacheReadTokens + served,
    cacheWrite5m: sums.cacheWriteTokens,
    cacheWrite1h: 0,
    output: sums.outputTokens - sums.reasoningTokens,
    reasoning: sums.reasoningTokens,
  };
}

function noteOf(of: { isPriced: boolean; unpriced: number; ignored: boolean }): string | null {
  if (!of.isPriced) return 'the chosen model has no known price';
  if (of.unpriced > 0) return `${of.unpriced} of its calls have no price to compare with`;
  return of.ignored ? 'its provider has no known batch discount' : null;
}

function totalOf(models: WhatIf['models']): WhatIf['total'] {
  const comparable = models.filter(({ difference }) => difference !== null);
  const sum = (
    rows: WhatIf['models'],
    of: 'calls' | 'unpriced' | 'actual' | 'expected' | 'difference',
  ): number => rows.reduce((all, row) => all + (row[of] ?? 0), 0);
  const calls = sum(comparable, 'calls');
  return {
    calls,
    actual: sum(comparable, 'actual'),
    expected: sum(comparable, 'expected'),
    difference: sum(comparable, 'difference'),
    leftOut: sum(models, 'calls') - calls,
    unpriced: sum(models, 'unpriced'),
  };
}
