import type { ConditionalPrice, ModelInfo, ModelPrice } from '@pydantic/genai-prices';
import { type AppliedPrice, type ListedRate, type ReadyPrice, readyPrice } from './applied-price.ts';
import { decimal, effectOf, nameModifiers } from './modifiers.ts';
import { MISSING_RATES } from './published-rates.ts';
import type { Modifiers } from './usage/usage-extras.ts';

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
  readonly priceAt: (ts: number, inputTokens: number, modifiers: Modifiers | null) => ReadyPrice | null;
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
function listed(price: ModelPrice, key: string, above: number): number | undefined {
  const value = price[key];
  if (value === undefined || typeof value === 'number') return value;
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

/** Whose price it is, by the catalogue's ids. */
type Listing = { readonly provider: string; readonly model: string };

/**
 * The rate of each bucket. A cache read or write without its own rate costs as fresh input, as in the catalogue
 * (genai-prices: tokens without a price of their own stay in `input_tokens`). A 1-hour write without its own rate costs
 * twice the input for Claude models of any seller (platform.claude.com/docs, Prompt caching, Pricing: "1-hour cache
 * write tokens are 2 times the base input tokens price"; aws.amazon.com/bedrock/pricing, Anthropic), for others the
 * rate of other writes. Reasoning without its own rate costs as output. Fees per 1,000 are converted to fees per
 * million.
 */
function ratesAbove(listing: Listing, price: ModelPrice, above: number): Rates {
  if (isFree(price)) return FREE_RATES;
  const named: Named = (key, factor = 1, as = key) => {
    const value = listed(price, key, above) ?? MISSING_RATES[`${listing.provider}/${listing.model}`]?.[key];
    return value === undefined ? undefined : { usd: value * factor, key: as };
  };
  const fresh = named('input_mtok');
  const cacheRead = named('cache_read_mtok') ?? fresh;
  const cacheWrite5m = named('cache_write_mtok') ?? fresh;
  const doubled = listing.model.includes('claude') ? named('input_mtok', 2, '2 x input_mtok') : undefined;
  const output = named('output_mtok');
  return withoutGaps({
    fresh,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: named('cache_write_1h_mtok') ?? doubled ?? cacheWrite5m,
    output,
    reasoning: named('output_reasoning_mtok') ?? output,
    ...mediaRates(listing, named, { fresh, cacheRead, output }),
    audioSeconds: named('input_audio_hours', 1e6) ?? named('audio_hours', 1e6),
    pages: named('input_document_kpages', 1000),
    citations: named('output_citation_mtok'),
    webSearch: named('web_searches_kcount', 1000),
    request: named('requests_kcount', 1000),
  });
}

type Named = (key: string, factor?: number, as?: string) => ListedRate | undefined;
type Parents = Readonly<Record<'fresh' | 'cacheRead' | 'output', ListedRate | undefined>>;

/**
 * The rates of media. Providers that list no rate of images and video bill them as other input; Google does so with audio
 * too (ai.google.dev/gemini-api/docs/pricing). A model for speech or images has the rate of its medium as that of the
 * output. Without a rate here, the tokens are billed as their bucket, and the cost is an estimate.
 */
function mediaRates({ provider, model }: Listing, named: Named, { fresh, cacheRead, output }: Parents) {
  const [audio, image] = [named('input_audio_mtok'), named('input_image_mtok')];
  const isPlainAudio = audio === undefined && provider === 'google';
  return {
    audioInput: isPlainAudio ? fresh : audio,
    imageInput: image ?? fresh,
    videoInput: named('input_video_mtok') ?? fresh,
    audioCached: named('cache_audio_read_mtok') ?? (isPlainAudio ? cacheRead : undefined),
    imageCached: named('cache_image_read_mtok') ?? (image === undefined ? cacheRead : undefined),
    audioOutput: named('output_audio_mtok') ?? (/tts|speech/.test(model) ? output : undefined),
    imageOutput: named('output_image_mtok') ?? (/image/.test(model) ? output : undefined),
    videoOutput: named('output_video_mtok'),
  };
}

/** The entries that have a value. */
export const withoutGaps = (rates: Readonly<Record<string, ListedRate | undefined>>): Rates =>
  Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate !== undefined));

function toPeriod({ constraint, prices }: ConditionalPrice, listing: Listing): Period {
  const starts = Object.values(prices).flatMap((value) =>
    typeof value === 'object' ? value.tiers.map((tier) => tier.start) : [],
  );
  const bounds = [-1, ...new Set(starts.sort((a, b) => a - b))];
  return {
    applies: applies(constraint),
    from: constraint?.type === 'start_date' ? constraint.start_date : null,
    until: null,
    daily: constraint?.type === 'time_of_date' ? `${constraint.start_time}/${constraint.end_time}` : null,
    bands: bounds.map((above) => ({ above, rates: ratesAbove(listing, prices, above) })),
  };
}

/**
 * Parses a model's prices in the catalogue once, so that pricing a call takes a few look-ups and multiplications. Before
 * the first dated price, the oldest one applies.
 */
export function catalogueCard(version: string, provider: string, model: ModelInfo): RateCard {
  const periods = periodsOf(provider, model);
  const card = rateCard({ source: 'catalogue', reference: version, provider, model: model.id }, provider);
  return {
    priceAt: (ts, input, modifiers) =>
      card(periods.findLast((one) => one.applies(ts)) ?? periods[0], input, modifiers),
  };
}

/** The periods of a model's prices in the catalogue; the last that applies is the price. */
export function periodsOf(provider: string, model: ModelInfo): Period[] {
  const prices = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }];
  return prices.map((price) => toPeriod(price, { provider, model: model.id }));
}

type PriceOf = (
  period: Period | undefined,
  inputTokens: number,
  modifiers: Modifiers | null,
) => ReadyPrice | null;

/**
 * The prices of some periods. Each is prepared when first needed and stays the same object. A tier sets the price of
 * all tokens of the call.
 * @param seller the provider whose modifiers apply, by the catalogue's id
 */
export function rateCard(source: CardSource, seller: string | null): PriceOf {
  const ready = new Map<Band, Map<string | null, ReadyPrice>>();
  return (period, inputTokens, modifiers) => {
    const band = period?.bands.findLast((candidate) => inputTokens > candidate.above);
    if (period === undefined || band === undefined) return null;
    const key = modifiers === null ? null : nameModifiers(modifiers);
    const known = ready.get(band)?.get(key);
    if (known !== undefined) return known;
    const made = readyPrice(applied({ source, period, band, seller, modifiers }));
    const variants = ready.get(band) ?? new Map<string | null, ReadyPrice>();
    // Clients choose the names of tiers freely, so only a few are cached.
    if (variants.size < 20) ready.set(band, variants.set(key, made));
    return made;
  };
}

const PLAIN = { factor: 1, rates: null, isFlat: false, note: null };

function applied(of: {
  source: CardSource;
  period: Period;
  band: Band;
  seller: string | null;
  modifiers: Modifiers | null;
}): AppliedPrice {
  const { source, period, seller, modifiers } = of;
  const listedModel = source.source === 'catalogue' ? source.model : null;
  const effect =
    modifiers === null ? PLAIN : effectOf({ seller, listedModel }, modifiers, of.band.above >= 0);
  const band = effect.isFlat ? (period.bands[0] ?? of.band) : of.band;
  const scaled = Object.entries(effect.rates ?? band.rates).map(([bucket, { usd, key }]) => {
    // Modifiers do not affect fees for searches and requests.
    const isFee = bucket === 'webSearch' || bucket === 'request';
    return [bucket, { usd: isFee || effect.factor === 1 ? usd : decimal(usd * effect.factor), key }];
  });
  return {
    ...source,
    effective_from: period.from,
    effective_until: period.until,
    daily: period.daily,
    context_above: band.above < 0 ? null : band.above,
    service_tier: modifiers === null ? null : nameModifiers(modifiers),
    factor: effect.factor,
    note: effect.note,
    rates: Object.fromEntries(scaled),
  };
}
