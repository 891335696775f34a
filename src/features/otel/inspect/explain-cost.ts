import type { ParsedEvent } from '../../../core/events/index.ts';
import { type Price, rateOfBucket } from '../../../core/pricing/index.ts';
import type { InspectedSpan } from '../contract.ts';
import { isCallKind } from '../map/kind-of.ts';

type Reason = Extract<Price, { status: 'unpriced' }>['reason'];

const REASONS: Readonly<Record<Reason, string>> = {
  no_model: 'no price: the span names no model',
  unknown_provider: 'no price: unknown provider; set a price with `spanledger prices set`',
  unknown_model: 'no price: unknown model; set a price with `spanledger prices set`',
  no_rate: 'no price: the model has no rate for this kind of tokens',
  no_usage: 'no price: the call succeeded, but the span has no token counts',
};

const whyUnpriced = ({ reason, lacks }: Extract<Price, { status: 'unpriced' }>): string =>
  lacks === undefined ? REASONS[reason] : `no price: the price has no rate ${rateOfBucket(lacks.bucket)}`;

/** The cost of a call, with an explanation. */
export function explainCost(event: ParsedEvent, price: Price | null): InspectedSpan['cost'] {
  if (!isCallKind(event.kind)) return { usd: null, why: 'not a call' };
  if (event.cost_usd !== null) return { usd: event.cost_usd, why: 'stated by the client' };
  if (price === null || price.status === 'unpriced') {
    return { usd: null, why: price === null ? 'no price' : whyUnpriced(price) };
  }
  const note = price.price.note === null ? '' : `; ${price.price.note}`;
  const rest = price.unbilled.length === 0 ? '' : `; no rate for: ${price.unbilled.join(', ')}`;
  return { usd: price.cost_nano / 1e9, why: `${price.status}${note}${rest}` };
}
