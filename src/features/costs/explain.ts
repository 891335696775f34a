import type { Ctx } from '../../context.ts';
import { type EventQuery, eventsOf, type FoundEvent, isAnswered } from '../../core/events/index.ts';
import {
  type AppliedPrice,
  type Bill,
  billOf,
  normalizeUsage,
  type Price,
  type Pricer,
  pricerOf,
  rateOfBucket,
  ratesFor,
  readyPrice,
  sumOf,
  usageExtras,
} from '../../core/pricing/index.ts';
import { type EventScope, ofProject, route } from '../../core/tenancy/index.ts';
import { notFound } from '../../errors.ts';
import { type Explanation, explainEndpoint } from './contract.ts';
import { summaryOf } from './summary.ts';

/** How an event's cost came about, from what is stored with it and by the prices in force. Throws 404. */
export async function readExplanation(
  ctx: Ctx,
  scope: EventScope & { readonly organizationId: string },
  query: EventQuery,
): Promise<Explanation> {
  const [found, pricer] = await Promise.all([
    eventsOf(ctx).event(scope, query),
    pricerOf(ctx, scope.organizationId),
  ]);
  if (found === null) throw notFound(`There is no event ${query.id} in this project`);
  return explain(found, priceToday(pricer, found));
}

function explain(found: FoundEvent, today: Price | null): Explanation {
  const { event, costNano } = found;
  const price = found.price ?? recomputed(found, today);
  const { lines, unbilled } = price === null ? NO_BILL : billOfStored(found, price);
  const total = price === null ? null : sumOf(lines);
  return {
    event_id: event.event_id,
    timestamp: event.timestamp,
    provider: event.provider,
    model: event.model,
    status: event.status,
    cost_status: event.cost_status,
    cost_nano: costNano,
    cost_usd: event.cost_usd,
    summary: summaryOf(found, price, { today, unbilled }),
    usage: {
      input_tokens: event.input_tokens,
      output_tokens: event.output_tokens,
      cached_input_tokens: event.cached_input_tokens,
      cache_write_tokens: event.cache_write_tokens,
      reasoning_tokens: event.reasoning_tokens,
      raw: event.usage,
    },
    normalised: normalised(found),
    lines: lines.map(({ bucket, tokens, usdPerMillion, amount_nano, rate }) => ({
      bucket,
      tokens,
      usd_per_million: usdPerMillion,
      rate,
      amount_nano,
      amount_usd: amount_nano / 1e9,
    })),
    unbilled: [...unbilled],
    missing_rates: missingRates(event.cost_status, today),
    lines_nano: total,
    adds_up: total === null ? null : total === costNano,
    price: price === null ? null : { ...withoutRates(price), recorded: found.price !== null },
    today: {
      cost_status: today?.status ?? null,
      cost_nano: today === null || today.status === 'unpriced' ? null : today.cost_nano,
      cost_usd: today === null || today.status === 'unpriced' ? null : today.cost_nano / 1e9,
      reason: today?.status === 'unpriced' ? today.reason : null,
    },
  };
}

/** The rates that today's price lacks for this usage, as far as one would help. */
function missingRates(status: string | null, today: Price | null): Explanation['missing_rates'] {
  if (today === null || (status !== 'estimated' && status !== 'unpriced')) return [];
  if (today.status === 'estimated') return ratesFor(today.unbilled);
  return today.status === 'unpriced' && today.lacks !== undefined ? [rateOfBucket(today.lacks.bucket)] : [];
}

/** By the prices in force; null for what is no call. */
function priceToday(pricer: Pricer, { event, buckets }: FoundEvent): Price | null {
  if (event.kind !== 'llm' && event.kind !== 'embedding') return null;
  return pricer.priceCall({
    provider: event.provider,
    model: event.model,
    ts: Date.parse(event.timestamp),
    buckets,
    extras: usageExtras(event.usage, event.metadata),
    answered: isAnswered(event.status),
  });
}

/** For an event from before prices were kept: today's, where it gives the same cost. */
function recomputed({ event, costNano }: FoundEvent, today: Price | null): AppliedPrice | null {
  const hasPrice = event.cost_status === 'priced' || event.cost_status === 'estimated';
  if (!hasPrice || today === null || today.status === 'unpriced') return null;
  return today.cost_nano === costNano ? today.price : null;
}

const NO_BILL: Bill = { lines: [], unbilled: [] };

function billOfStored({ event, buckets }: FoundEvent, price: AppliedPrice): Bill {
  const extras = usageExtras(event.usage, event.metadata);
  return billOf(readyPrice(price), buckets, { extras, answered: isAnswered(event.status) }) ?? NO_BILL;
}

function normalised({ event, buckets }: FoundEvent): Explanation['normalised'] {
  const { cacheMode, reasoningMode, reason } = normalizeUsage(event);
  return {
    fresh: buckets.fresh,
    cache_read: buckets.cacheRead,
    cache_write_5m: buckets.cacheWrite5m,
    cache_write_1h: buckets.cacheWrite1h,
    output: buckets.output,
    reasoning: buckets.reasoning,
    cache: cacheMode,
    reasoning_tokens: reasoningMode,
    reason,
  };
}

const withoutRates = ({ rates: _, ...rest }: AppliedPrice): Omit<AppliedPrice, 'rates'> => rest;

export const explainRoute = route(explainEndpoint, (ctx, { params, query }, { scope }) =>
  readExplanation(ctx, ofProject(scope), { id: params.id, ts: query.timestamp ?? null }),
);
