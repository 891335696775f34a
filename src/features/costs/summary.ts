import type { FoundEvent } from '../../core/events/index.ts';
import { type AppliedPrice, type Price, rateOfBucket } from '../../core/pricing/index.ts';

/** Why a call has no price, and what to do about it. */
const REASONS = {
  no_model: 'the event has no model',
  unknown_provider: 'the provider is not in the price list: set a price for the model',
  unknown_model: 'the model is not in the price list: set a price for it',
  no_rate: 'the price has no rate for a kind of token that was used: set a price for the model',
  no_usage: 'its sender reported no token counts, so what was used is not known',
} as const;

/** How a cost was calculated, in a sentence. */
export function summaryOf(
  { event, isCall, costNano }: FoundEvent,
  price: AppliedPrice | null,
  { today, unbilled }: { readonly today: Price | null; readonly unbilled: readonly string[] },
): string {
  if (today === null) return `A ${event.kind} span is not a call and has no cost of its own.`;
  const counted = isCall
    ? ''
    : ' Another span reports the same call and is counted, so no total includes this one.';
  if (event.cost_status === 'client') return `${statedInWords(costNano, today)}${counted}`;
  if (event.cost_status === 'unpriced') {
    const why =
      today.status === 'unpriced' ? reasonOf(today) : 'its model is priced now: re-price its time range';
    return `This call has no price, so no total includes it: ${why}.${counted}`;
  }
  if (costNano === null) return `This call was not priced.${counted}`;
  if (price === null)
    return `Prices have changed since, and the price of this event was not recorded.${counted}`;
  return `${priceInWords(price)}${unbilledInWords(unbilled)}${counted}`;
}

function reasonOf({ reason, lacks }: Extract<Price, { status: 'unpriced' }>): string {
  if (lacks === undefined) return REASONS[reason];
  const { source, reference, provider, model } = lacks.price;
  const name = provider === null ? model : `${provider}/${model}`;
  const price = source === 'catalogue' ? `the catalogue's price of ${name}` : `the custom price ${reference}`;
  return `${price} has no rate ${rateOfBucket(lacks.bucket)}, which the usage needs: add it`;
}

/** A cost that the sender or a gateway stated, beside that of the price list. */
function statedInWords(costNano: number | null, today: Price): string {
  const stated = 'The sender or its gateway stated this cost; no price was applied.';
  if (today.status === 'unpriced' || costNano === null) return stated;
  const difference = costNano - today.cost_nano;
  const compared =
    difference === 0
      ? 'equal'
      : `${exactUsd(Math.abs(difference))} ${difference > 0 ? 'less' : 'more'}: ${exactUsd(today.cost_nano)}`;
  return `${stated} By the price list it is ${compared}.`;
}

const exactUsd = (nano: number): string => `$${(nano / 1e9).toFixed(9).replace(/0{1,7}$/, '')}`;

const unbilledInWords = (unbilled: readonly string[]): string =>
  unbilled.length === 0
    ? ''
    : ` This is an estimate: the usage has counts that the price has no rate for: ${unbilled.join(', ')}.`;

function priceInWords(price: AppliedPrice): string {
  const { source, reference, provider, model, effective_from, effective_until } = price;
  const list =
    source === 'catalogue'
      ? `The catalogue's price of ${provider}/${model} (${reference})`
      : `The custom price ${reference} for ${provider === null ? '' : `${provider}/`}${model}`;
  const parts = [
    effective_from === null ? '' : `valid from ${effective_from.slice(0, 10)}`,
    effective_until === null ? '' : `valid until ${effective_until.slice(0, 10)}`,
    price.daily === null ? '' : `between ${price.daily.replace('/', ' and ')}`,
    price.context_above === null ? '' : `for more than ${price.context_above} input tokens`,
    price.service_tier === null || price.note !== null
      ? ''
      : price.factor === 1
        ? `at the published rates for ${price.service_tier}`
        : `times ${price.factor} for ${price.service_tier}`,
  ].filter((part) => part !== '');
  const note = price.note === null ? '' : ` This is an estimate: ${price.note}.`;
  return `${[list, ...parts].join(', ')}.${note}`;
}
