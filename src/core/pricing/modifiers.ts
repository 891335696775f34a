import { lookUp } from '../../lib/text/look-up.ts';
import type { AppliedPrice, ListedRate } from './applied-price.ts';
import { FAST_FACTORS, PRIORITY_RATES } from './published-rates.ts';
import type { Modifiers } from './usage/usage-extras.ts';

type Rates = AppliedPrice['rates'];

/** The effect of a call's modifiers on the listed rates; `note` says why the result is only an estimate. */
export type ModifierEffect = {
  readonly factor: number;
  /** Rates in place of the listed ones. */
  readonly rates: Rates | null;
  /** The rates below every tier for long inputs apply. */
  readonly isFlat: boolean;
  readonly note: string | null;
};

/** What a price is for: the seller by the catalogue's id, and the model if the catalogue has listed the price. */
export type Offer = { readonly seller: string | null; readonly listedModel: string | null };

/**
 * Providers (the catalogue's ids) that bill these tiers at half of the listed token prices: their pricing
 * pages, "Batch API" and "Flex processing".
 */
const HALF_PRICE: Readonly<Record<string, ReadonlySet<string>>> = {
  batch: new Set([
    'openai',
    'azure',
    'anthropic',
    'aws',
    'google',
    'mistral',
    'groq',
    'together',
    'fireworks',
  ]),
  flex: new Set(['openai', 'azure', 'google']),
};

/** Anthropic bills inference in the US only at 1.1 times all token prices (platform.claude.com, Data residency). */
const US_INFERENCE = 1.1;

/** True if a provider processes batches at half price. */
export const hasBatchDiscount = (provider: string | null): boolean =>
  provider !== null && HALF_PRICE.batch?.has(provider) === true;

/** The modifiers in words, such as `batch, us inference`; null without any. */
export function nameModifiers({ serviceTier, speed, geo }: Modifiers): string | null {
  const names = [
    serviceTier,
    speed === null ? null : `${speed} mode`,
    geo === null ? null : `${geo} inference`,
  ];
  return names.filter((name) => name !== null).join(', ') || null;
}

/**
 * The effect of modifiers. One without a published price makes the cost an estimate.
 * @param isLong the call exceeds the first tier of input sizes
 */
export function effectOf(offer: Offer, modifiers: Modifiers, isLong: boolean): ModifierEffect {
  const tier = tierEffect(offer, modifiers.serviceTier, isLong);
  const speed = speedEffect(offer, modifiers.speed);
  const geo = geoEffect(offer, modifiers.geo);
  const notes = [tier.note, speed.note, geo.note].filter((note) => note !== null);
  return {
    factor: decimal(tier.factor * speed.factor * geo.factor),
    rates: tier.rates,
    isFlat: modifiers.speed !== null && speed.note === null,
    note: notes.length === 0 ? null : notes.join('; '),
  };
}

/** A product of decimals without floating-point noise. */
export const decimal = (value: number): number => Number(value.toPrecision(12));

type Part = { readonly factor: number; readonly note: string | null };
const USUAL: Part = { factor: 1, note: null };

const unknown = (what: string): Part => ({
  factor: 1,
  note: `the price of ${what} is unknown: the list price was used; set a custom price for it`,
});

function tierEffect(
  { seller, listedModel }: Offer,
  tier: string | null,
  isLong: boolean,
): Part & { readonly rates: Rates | null } {
  if (tier === null) return { ...USUAL, rates: null };
  if (seller !== null && lookUp(HALF_PRICE, tier)?.has(seller))
    return { factor: 0.5, note: null, rates: null };
  const published =
    tier === 'priority' && seller === 'openai' && !isLong ? PRIORITY_RATES[listedModel ?? ''] : undefined;
  if (published !== undefined) return { ...USUAL, rates: priorityRates(published) };
  return { ...unknown(`the service tier ${tier}`), rates: null };
}

function priorityRates([input, cached, output]: readonly [number, number | null, number]): Rates {
  const rate = (usd: number): ListedRate => ({ usd, key: 'priority' });
  return {
    fresh: rate(input),
    cacheRead: rate(cached ?? input),
    cacheWrite5m: rate(input),
    cacheWrite1h: rate(input),
    imageInput: rate(input),
    output: rate(output),
    reasoning: rate(output),
  };
}

function speedEffect({ seller, listedModel }: Offer, speed: string | null): Part {
  if (speed === null) return USUAL;
  const factor = speed === 'fast' && seller === 'anthropic' ? FAST_FACTORS[listedModel ?? ''] : undefined;
  return factor === undefined ? unknown(`the speed ${speed}`) : { factor, note: null };
}

function geoEffect({ seller }: Offer, geo: string | null): Part {
  if (geo === null) return USUAL;
  if (geo === 'us' && seller === 'anthropic') return { factor: US_INFERENCE, note: null };
  return unknown(`inference in ${geo}`);
}
