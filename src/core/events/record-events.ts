import type { Ctx } from '../../context.ts';
import type { EffectCall } from '../../db/effects.ts';
import { normalizeUsage, type Pricer, pricerOf, type UnpricedReason, usageExtras } from '../pricing/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { ParsedEvent, Pricing } from './event.ts';
import { eventsOf } from './events-of.ts';
import { isAnswered } from './is-answered.ts';
import { noteUnpriced } from './note-unpriced.ts';

/**
 * `accepted` events are in the store now, `duplicates` of them were there before. `results`: what the effects
 * returned, in their order.
 */
export type RecordReply = {
  readonly accepted: number;
  readonly duplicates: number;
  readonly results: readonly unknown[];
};

/** How events are recorded. `effects` are committed with them; `spans`: see `EventBatch`. */
export type RecordOptions = { readonly effects?: readonly EffectCall[]; readonly spans?: boolean };

/**
 * Prices events and stores them; resolves after the COMMIT that made them durable, sums and effects included.
 * What senders send goes through `recordCounted` of `core/usage`, which counts it against the month.
 * @param scope whose events they are, and the key with which they came, if any
 * @throws AppError 503 when the store can't write, and what an effect refuses the batch with; nothing is stored then
 */
export async function recordEvents(
  ctx: Ctx,
  scope: ProjectScope & { readonly keyId?: string },
  events: readonly ParsedEvent[],
  { effects = [], spans = false }: RecordOptions = {},
): Promise<RecordReply> {
  const pricer = await pricerOf(ctx, scope.organizationId);
  const priced = events.map((event) => ({
    event,
    pricing: priceEvent(pricer, event, (reason) => noteUnpriced(ctx, scope, event, reason)),
  }));
  const batch = { events: priced, keyId: scope.keyId ?? null, spans };
  const { duplicates, results } = await eventsOf(ctx).record(scope, batch, effects);
  return { accepted: events.length, duplicates, results };
}

function priceEvent(
  pricer: Pricer,
  event: ParsedEvent,
  onUnpriced: (reason: UnpricedReason) => void,
): Pricing {
  const { buckets } = normalizeUsage(event);
  const is_call = event.kind === 'llm' || event.kind === 'embedding';
  const none = { is_call, buckets, cost_nano: null, price: null };
  if (!is_call) return { ...none, cost_status: null };
  if (event.cost_usd !== null) {
    return { ...none, cost_nano: Math.round(event.cost_usd * 1e9), cost_status: 'client' };
  }
  const { provider, model, ts, usage, metadata } = event;
  const extras = usageExtras(usage, metadata);
  const priced = pricer.priceCall({
    provider,
    model,
    ts,
    buckets,
    extras,
    answered: isAnswered(event.status),
  });
  if (priced.status === 'unpriced') {
    onUnpriced(priced.reason);
    return { ...none, cost_status: 'unpriced' };
  }
  return { ...none, cost_nano: priced.cost_nano, cost_status: priced.status, price: priced.price };
}
