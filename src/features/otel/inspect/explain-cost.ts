import type { ParsedEvent } from '../../../core/events/index.ts';
import type { Price } from '../../../core/pricing/index.ts';
import type { InspectedSpan } from '../contract.ts';
import { isCallKind } from '../map/kind-of.ts';

type Reason = Extract<Price, { status: 'unpriced' }>['reason'];

const REASONS: Readonly<Record<Reason, string>> = {
  no_model: 'no price: no model is named',
  unknown_provider: 'no price: the provider is not known; set one with `spanledger prices set`',
  unknown_model: 'no price: the model is not known; set one with `spanledger prices set`',
  no_rate: 'no price: the model is not sold by tokens of that kind',
  no_usage: 'no price: the call succeeded, and nothing says how many tokens it used',
};

/** What a call costs and how that comes about, in words. */
export function explainCost(event: ParsedEvent, price: Price | null): InspectedSpan['cost'] {
  if (!isCallKind(event.kind)) return { usd: null, why: 'not a call' };
  if (event.cost_usd !== null) return { usd: event.cost_usd, why: 'as the sender states it' };
  if (price === null || price.status === 'unpriced') {
    return { usd: null, why: price === null ? 'no price' : REASONS[price.reason] };
  }
  const note = price.price.note === null ? '' : `; ${price.price.note}`;
  return { usd: price.cost_nano / 1e9, why: `${price.status}${note}` };
}
