import type { Ctx } from '../../context.ts';
import { eventsOf, metricsWindow, type Window } from '../../core/events/index.ts';
import { type Pricer, pricerOf } from '../../core/pricing/index.ts';
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
  window: Window,
): Promise<UnpricedReply> {
  const [{ models, unpriced, requests }, pricer] = await Promise.all([
    eventsOf(ctx).unpriced(scope, { window, limit: MAX_MODELS }),
    pricerOf(ctx, scope.organizationId),
  ]);
  return {
    models: models.map((row) => ({
      provider: row.provider,
      model: row.model ?? NO_MODEL,
      unpriced: row.unpriced,
      calls: row.requests,
      input_tokens: row.unpricedInputTokens,
      output_tokens: row.unpricedOutputTokens,
      firstSeen: formatInstant(row.firstSeen),
      lastSeen: formatInstant(row.lastSeen),
      reason: reasonOf(pricer, row, floorToHour(row.lastSeen)),
    })),
    unpriced,
    calls: requests,
  };
}

/** Why such a call would have no price today. Usage it is not about: the model is asked for one token. */
function reasonOf(
  pricer: Pricer,
  { provider, model }: { provider: string | null; model: string | null },
  ts: number,
): string | null {
  const buckets = { fresh: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
  const price = pricer.priceCall({ provider, model, ts, buckets });
  return price.status === 'unpriced' ? price.reason : null;
}

export const unpricedRoute = route(unpricedEndpoint, (ctx, { query }, { scope }) =>
  readUnpriced(ctx, ofProject(scope), metricsWindow(query, ctx.now())),
);
