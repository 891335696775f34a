import type { FoundEvent } from '../../core/events/index.ts';
import type { AppliedPrice, Price } from '../../core/pricing/index.ts';

/** Why a call has no price, and what to do about it. */
const REASONS = {
  no_model: 'the event names no model',
  unknown_provider: 'the provider is not in the price list: set a price for the model',
  unknown_model: 'the model is not in the price list: set a price for it',
  no_rate: 'the price list has no rate for something that was used: set a price for the model',
  no_usage: 'the call succeeded, but its sender did not say how many tokens it used',
} as const;

/** How a cost came about, in a sentence. */
export function summaryOf(
  { event, isCall, costNano }: FoundEvent,
  price: AppliedPrice | null,
  today: Price | null,
): string {
  if (today === null) return `A ${event.kind} span is no call and costs nothing by itself.`;
  const counted = isCall ? '' : ' Another span stands for this call, so it is not in any total.';
  if (event.cost_status === 'client') return `The sender stated this cost; no price was applied.${counted}`;
  if (event.cost_status === 'unpriced') {
    const why =
      today.status === 'unpriced'
        ? REASONS[today.reason]
        : 'it has a price by now: re-price the time in which it happened';
    return `This call has no price and is in no total of costs: ${why}.${counted}`;
  }
  if (costNano === null) return `This call was not priced.${counted}`;
  if (price === null)
    return `Prices have changed since, and this event is older than the keeping of the price it had.${counted}`;
  return `${priceInWords(price)}${counted}`;
}

function priceInWords(price: AppliedPrice): string {
  const { source, reference, provider, model, effective_from, effective_until } = price;
  const list =
    source === 'catalogue'
      ? `The catalogue's price of ${provider}/${model} (${reference})`
      : `The organization's own price ${reference} for ${provider === null ? '' : `${provider}/`}${model}`;
  const parts = [
    effective_from === null ? '' : `from ${effective_from.slice(0, 10)} on`,
    effective_until === null ? '' : `before ${effective_until.slice(0, 10)}`,
    price.daily === null ? '' : `between ${price.daily.replace('/', ' and ')}`,
    price.context_above === null ? '' : `for more than ${price.context_above} input tokens`,
    price.service_tier === null || price.note !== null
      ? ''
      : `at ${price.factor} of it for the service tier ${price.service_tier}`,
  ].filter((part) => part !== '');
  const note = price.note === null ? '' : ` It is an estimate: ${price.note}.`;
  return `${[list, ...parts].join(', ')}.${note}`;
}
