import type { ConditionalPrice, ModelInfo, ModelPrice } from '@pydantic/genai-prices';
import { type AppliedPrice, type ListedRate, type ReadyPrice, readyPrice } from './applied-price.ts';
import { tierEffect } from './service-tier.ts';

type Rates = AppliedPrice['rates'];

/** The rates for calls of more than `above` input tokens. */
export type Band = { readonly above: number; readonly rates: Rates };

/** Prices for a period: bands by increasing `above`; the first band is below every tier. */
export type Period = {
  readonly applies: (ts: number) => boolean;
  readonly from: string | null;
  readonly until: string | null;
  readonly daily: string | null;
  readonly bands: readonly Band[];
};

/** Prices of one model; the last period that applies is the price. */
export type RateCard = {
  /** The price for a call at a time (epoch milliseconds) with this many input tokens, including cached ones. */
  readonly priceAt: (ts: number, inputTokens: number, serviceTier: string | null) => ReadyPrice | null;
};

/** The fields of `AppliedPrice` that name its source. */
export type CardSource = Pick<AppliedPrice, 'source' | 'reference' | 'provider' | 'model'>;

const DAY_MS = 86_400_000;

/** Milliseconds after midnight UTC of a time like `16:30:00Z`. */
function timeOfDay(time: string): number {
  return (Date.parse(`1970-01-01T${time}`) + DAY_MS) % DAY_MS;
}

function applies(constraint: ConditionalPrice['constraint']): (ts: number) => boolean {
  if (constraint === undefined) return () => true;
  if (constraint.type === 'start_date') {
    const from = Date.parse(constraint.start_date);
    return (ts) => ts >= from;
  }
  const start = timeOfDay(constraint.start_time);
  const end = timeOfDay(constraint.end_time);
  return (ts) => {
    const now = ((ts % DAY_MS) + DAY_MS) % DAY_MS;
    return end < start ? now >= start || now < end : now >= start && now < end;
  };
}

/** The listed price of a key for calls of more than `above` input tokens. */
function listed(price: ModelPrice, key: string, above: number): number | null {
  const value = price[key];
  if (value === undefined || typeof value === 'number') return value ?? null;
  const tiers = value.tiers.toSorted((a, b) => a.start - b.start);
  return tiers.findLast((tier) => tier.start <= above)?.price ?? value.base;
}

/** An entry without any price is free, because the catalogue omits prices of 0. */
function isFree(price: ModelPrice): boolean {
  return Object.values(price).every((value) => value === undefined);
}

const FREE: ListedRate = { usd: 0, key: 'free' };
const FREE_RATES: Rates = {
  fresh: FREE,
  cacheRead: FREE,
  cacheWrite5m: FREE,
  cacheWrite1h: FREE,
  output: FREE,
  reasoning: FREE,
};

/**
 * The rate of each bucket. A cache read or write without its own rate costs as fresh input, as in the catalogue
 * (genai-prices: tokens without a price of their own stay in `input_tokens`). A 1-hour write without its own rate costs
 * twice the input at Anthropic (platform.claude.com/docs, Prompt caching, Pricing: "1-hour cache write tokens are 2
 * times the base input tokens price"), elsewhere the rate of other writes. Reasoning without its own rate costs as
 * output. Fees per 1,000 are converted to fees per million.
 */
function ratesAbove(price: ModelPrice, above: number, provider: string): Rates {
  if (isFree(price)) return FREE_RATES;
  const named = (key: string, factor = 1, as = key): ListedRate | undefined => {
    const value = listed(price, key, above);
    return value === null ? undefined : { usd: value * factor, key: as };
  };
  const fresh = named('input_mtok');
  const cacheWrite5m = named('cache_write_mtok') ?? fresh;
  const doubled = provider === 'anthropic' ? named('input_mtok', 2, '2 x input_mtok') : undefined;
  const output = named('output_mtok');
  return withoutGaps({
    fresh,
    cacheRead: named('cache_read_mtok') ?? fresh,
    cacheWrite5m,
    cacheWrite1h: named('cache_write_1h_mtok') ?? doubled ?? cacheWrite5m,
    output,
    reasoning: named('output_reasoning_mtok') ?? output,
    audioInput: named('input_audio_mtok'),
    audioOutput: named('output_audio_mtok'),
    webSearch: named('web_searches_kcount', 1000),
    request: named('requests_kcount', 1000),
  });
}

/** The entries that have a value. */
export const withoutGaps = (rates: Readonly<Record<string, ListedRate | undefined>>): Rates =>
  Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate !== undefined));

function toPeriod({ constraint, prices }: ConditionalPrice, provider: string): Period {
  const starts = Object.values(prices).flatMap((value) =>
    typeof value === 'object' ? value.tiers.map((tier) => tier.start) : [],
  );
  const bounds = [-1, ...new Set(starts.sort((a, b) => a - b))];
  return {
    applies: applies(constraint),
    from: constraint?.type === 'start_date' ? constraint.start_date : null,
    until: null,
    daily: constraint?.type === 'time_of_date' ? `${constraint.start_time}/${constraint.end_time}` : null,
    bands: bounds.map((above) => ({ above, rates: ratesAbove(prices, above, provider) })),
  };
}

/**
 * Parses a model's prices in the catalogue once, so that pricing a call takes a few look-ups and multiplications. Before
 * the first dated price, the oldest one applies.
 */
export function catalogueCard(version: string, provider: string, model: ModelInfo): RateCard {
  const prices = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }];
  const periods = prices.map((price) => toPeriod(price, provider));
  const card = rateCard({ source: 'catalogue', reference: version, provider, model: model.id }, provider);
  return {
    priceAt: (ts, input, tier) => card(periods.findLast((one) => one.applies(ts)) ?? periods[0], input, tier),
  };
}

type PriceOf = (period: Period | undefined, inputTokens: number, tier: string | null) => ReadyPrice | null;

/**
 * The prices of some periods. Each is prepared when first needed and stays the same object. A tier sets the price of
 * all tokens of the call.
 * @param seller the provider whose service tiers apply, by the catalogue's id
 */
export function rateCard(source: CardSource, seller: string | null): PriceOf {
  const ready = new Map<Band, Map<string | null, ReadyPrice>>();
  return (period, inputTokens, serviceTier) => {
    const band = period?.bands.findLast((candidate) => inputTokens > candidate.above);
    if (period === undefined || band === undefined) return null;
    const known = ready.get(band)?.get(serviceTier);
    if (known !== undefined) return known;
    const made = readyPrice(applied({ source, period, band, seller, serviceTier }));
    const tiers = ready.get(band) ?? new Map<string | null, ReadyPrice>();
    // Clients choose the names of tiers freely, so only a few are cached.
    if (tiers.size < 20) ready.set(band, tiers.set(serviceTier, made));
    return made;
  };
}

function applied(of: {
  source: CardSource;
  period: Period;
  band: Band;
  seller: string | null;
  serviceTier: string | null;
}): AppliedPrice {
  const { source, period, band, seller, serviceTier } = of;
  const { factor, note } = tierEffect(seller, serviceTier);
  const scaled = Object.entries(band.rates).map(([bucket, { usd, key }]) => {
    // Service tiers do not affect fees for searches and requests. Halving a decimal is exact.
    const isFee = bucket === 'webSearch' || bucket === 'request';
    return [bucket, { usd: isFee ? usd : usd * factor, key }];
  });
  return {
    ...source,
    effective_from: period.from,
    effective_until: period.until,
    daily: period.daily,
    context_above: band.above < 0 ? null : band.above,
    service_tier: serviceTier,
    factor,
    note,
    rates: Object.fromEntries(scaled),
  };
}
