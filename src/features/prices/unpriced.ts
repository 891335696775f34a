import type { Ctx } from '../../context.ts';
import {
  type EventFilters,
  eventsOf,
  filtersOf,
  metricsWindow,
  type Window,
} from '../../core/events/index.ts';
import { type Pricer, pricerOf, rateOfBucket } from '../../core/pricing/index.ts';
import { type EventScope, ofProject, route } from '../../core/tenancy/index.ts';
import { NO_MODEL } from '../../lib/no-model.ts';
import { floorToHour, formatInstant } from '../../lib/time.ts';
import { type UnpricedReply, unpricedEndpoint } from './contract.ts';

/** Models that are told with all there is to tell; thousands of names are one sender's mistake. */
const MAX_MODELS = 200;

/** Which models were seen without a price, how often, and from when to when. */
async function readUnpriced(
  ctx: Ctx,
  scope: EventScope & { readonly organizationId: string },
  { window, filters }: { readonly window: Window; readonly filters: EventFilters },
): Promise<UnpricedReply> {
  const [{ models, unpriced, requests }, pricer] = await Promise.all([
    eventsOf(ctx).unpriced(scope, { window, filters, limit: MAX_MODELS }),
    pricerOf(ctx, scope.organizationId),
  ]);
  return {
    models: models.map((row) => ({
      provider: row.provider,
      model: row.model ?? NO_MODEL,
      unpriced: row.unpriced,
      calls: row.requests,
      inputTokens: row.unpricedInputTokens,
      outputTokens: row.unpricedOutputTokens,
      firstSeen: formatInstant(row.firstSeen),
      lastSeen: formatInstant(row.lastSeen),
      ...todayOf(pricer, row),
    })),
    unpriced,
    calls: requests,
  };
}

type Unpriced = Awaited<ReturnType<ReturnType<typeof eventsOf>['unpriced']>>['models'][number];

/**
 * Why such a call would have no price today, and the rate that its price lacks. The model is asked for a token of each
 * kind that these calls used.
 */
function todayOf(
  pricer: Pricer,
  row: Unpriced,
): Pick<UnpricedReply['models'][number], 'reason' | 'missingRate'> {
  const { provider, model, unpricedInputTokens: input, unpricedOutputTokens: output } = row;
  const fresh = input > 0 || output === 0 ? 1 : 0;
  const buckets = { ...NOTHING, fresh, output: output > 0 ? 1 : 0 };
  const price = pricer.priceCall({ provider, model, ts: floorToHour(row.lastSeen), buckets });
  // A price would change nothing: these calls succeeded without any token count.
  if (price.status !== 'unpriced')
    return { reason: input + output === 0 ? 'no_usage' : null, missingRate: null };
  const { reason, lacks } = price;
  return { reason, missingRate: lacks === undefined ? null : rateOfBucket(lacks.bucket) };
}

const NOTHING = { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };

export const unpricedRoute = route(unpricedEndpoint, (ctx, { query }, { scope }) =>
  readUnpriced(ctx, ofProject(scope), {
    window: metricsWindow(query, ctx.now()),
    filters: filtersOf(query),
  }),
);
