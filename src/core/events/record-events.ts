import type { Ctx } from '../../context.ts';
import type { EffectCall } from '../../db/effects.ts';
import { normalizeUsage, type Pricer, pricerOf, type UnpricedReason, usageExtras } from '../pricing/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { ParsedEvent, Pricing } from './event.ts';
import { eventsOf, recordMeter } from './events-of.ts';
import { isAnswered } from './is-answered.ts';
import { noteUnpriced } from './note-unpriced.ts';

/**
 * `accepted` is the number of events that are now stored, `duplicates` of which were stored before. `results` are the
 * results of the effects, in order.
 */
export type RecordReply = {
  readonly accepted: number;
  readonly duplicates: number;
  readonly results: readonly unknown[];
};

/** Options of recording. `effects` commit together with the events; for `spans` see `EventBatch`. */
export type RecordOptions = { readonly effects?: readonly EffectCall[]; readonly spans?: boolean };

/**
 * Prices and stores events. Resolves after the COMMIT that made events, sums and effects durable. Events from senders
 * must go through `recordCounted` of `core/usage`, which counts them against the monthly quota.
 * @param scope the project, and the key that sent the events, if any
 * @throws AppError 503 if the store cannot write, or the error of an effect that rejects the batch; nothing is stored
 * then
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
  const meter = ctx.use(recordMeter);
  meter.batches++;
  meter.accepted += events.length;
  meter.duplicates += duplicates;
  return { accepted: events.length, duplicates, results };
}

/** What the ledger stores as the cost of an event. `onUnpriced` is told why there is none. */
export function priceEvent(
  pricer: Pricer,
  event: ParsedEvent,
  onUnpriced: (reason: UnpricedReason) => void = () => {},
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
