import type { ConditionalPrice, ModelInfo, ModelPrice } from '@pydantic/genai-prices';
import type { UsageBuckets } from './buckets.ts';
import type { Rate } from './rate.ts';
import { toRate } from './rate.ts';

/** What is billed: the token buckets, and the fee that some providers take per request. */
export type BilledBucket = keyof UsageBuckets | 'request';

/** A rate and the catalogue's key it came from, e.g. `input_mtok` for a read that has no own rate. */
export type NamedRate = { readonly rate: Rate; readonly key: string };

/** Under which condition of the catalogue a price holds. */
export type PriceRule = {
  /** First day (UTC, `YYYY-MM-DD`) of the price; null where it has always held. */
  readonly effective_from: string | null;
  /** Hours of the day, as `00:30:00Z/16:30:00Z`; null where it holds all day. */
  readonly daily: string | null;
  /** The tier: for calls of more input tokens than this; null below the first tier. */
  readonly context_above: number | null;
};

/** The rates for calls of more than `above` input tokens. A bucket that has no rate is absent. */
export type Band = {
  readonly above: number;
  readonly rule: PriceRule;
  readonly rates: Readonly<Partial<Record<BilledBucket, NamedRate>>>;
};

type Period = {
  readonly applies: (ts: number) => boolean;
  /** By rising `above`; the first is below every tier. */
  readonly bands: readonly Band[];
};

/** One model's prices in the catalogue's order, of which the last that applies is the price. */
export type RateCard = {
  readonly provider: string;
  readonly model: string;
  readonly periods: readonly Period[];
};

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

/** An entry without any price is free: the catalogue leaves prices of 0 out. */
function isFree(price: ModelPrice): boolean {
  return Object.values(price).every((value) => value === undefined);
}

const FREE: NamedRate = { rate: toRate(0), key: 'free' };
const FREE_RATES = {
  fresh: FREE,
  cacheRead: FREE,
  cacheWrite5m: FREE,
  cacheWrite1h: FREE,
  output: FREE,
  reasoning: FREE,
} as const;

/**
 * The rate of each bucket. A cache read or write without its own rate is fresh input, as the catalogue
 * counts it (genai-prices: tokens without a price of their own stay in `input_tokens`). A 1-hour write
 * without its own rate costs twice the input at Anthropic (platform.claude.com/docs, Prompt caching,
 * Pricing: "1-hour cache write tokens are 2 times the base input tokens price"), elsewhere any write's
 * rate. Reasoning without its own rate is output. Fees per 1,000 requests are told per million.
 */
function ratesAbove(price: ModelPrice, above: number, provider: string): Band['rates'] {
  if (isFree(price)) return FREE_RATES;
  const named = (key: string, factor = 1, as = key): NamedRate | undefined => {
    const value = listed(price, key, above);
    return value === null ? undefined : { rate: toRate(value * factor), key: as };
  };
  const fresh = named('input_mtok');
  const cacheWrite5m = named('cache_write_mtok') ?? fresh;
  const doubled = provider === 'anthropic' ? named('input_mtok', 2, '2 x input_mtok') : undefined;
  const output = named('output_mtok');
  const rates = {
    fresh,
    cacheRead: named('cache_read_mtok') ?? fresh,
    cacheWrite5m,
    cacheWrite1h: named('cache_write_1h_mtok') ?? doubled ?? cacheWrite5m,
    output,
    reasoning: named('output_reasoning_mtok') ?? output,
    request: named('requests_kcount', 1000),
  };
  return Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate !== undefined));
}

function toPeriod({ constraint, prices }: ConditionalPrice, provider: string): Period {
  const starts = Object.values(prices).flatMap((value) =>
    typeof value === 'object' ? value.tiers.map((tier) => tier.start) : [],
  );
  const bounds = [-1, ...new Set(starts.sort((a, b) => a - b))];
  return {
    applies: applies(constraint),
    bands: bounds.map((above) => ({
      above,
      rule: {
        effective_from: constraint?.type === 'start_date' ? constraint.start_date : null,
        daily: constraint?.type === 'time_of_date' ? `${constraint.start_time}/${constraint.end_time}` : null,
        context_above: above < 0 ? null : above,
      },
      rates: ratesAbove(prices, above, provider),
    })),
  };
}

/** Reads a model's prices once, so that pricing a call is a few look-ups and multiplications. */
export function toRateCard(provider: string, model: ModelInfo): RateCard {
  const prices = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }];
  return { provider, model: model.id, periods: prices.map((price) => toPeriod(price, provider)) };
}

/**
 * The rates for a call at a time (epoch milliseconds) with so many input tokens, cached ones included.
 * Before the first dated price the oldest one holds. A tier sets the price of all of the call's tokens.
 */
export function bandFor(card: RateCard, ts: number, inputTokens: number): Band | undefined {
  const period = card.periods.findLast((candidate) => candidate.applies(ts)) ?? card.periods[0];
  return period?.bands.findLast((band) => inputTokens > band.above);
}
