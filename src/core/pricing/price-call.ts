import type { UsageBuckets } from './buckets.ts';
import type { NotFound } from './find-model.ts';
import { findModel } from './find-model.ts';
import { createMemo } from './memo.ts';
import { amountNano } from './rate.ts';
import type { BilledBucket, NamedRate, PriceRule, RateCard } from './rate-card.ts';
import { bandFor, toRateCard } from './rate-card.ts';

/** A call to be priced: names as they were sent, `ts` in epoch milliseconds, tokens by bucket. */
export type PriceableCall = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly ts: number;
  readonly buckets: UsageBuckets;
};

/** One line of a cost: `tokens` × `usdPerMillion` = `amount_nano` (for `request`: one request). */
type PriceLine = {
  readonly bucket: BilledBucket;
  readonly tokens: number;
  /** US dollars per million tokens. */
  readonly usdPerMillion: number;
  /** Nano-dollars (10^-9 USD), an integer, rounded half up. */
  readonly amount_nano: number;
  /** The catalogue's key that gave the rate; `free` where the model is listed without any price. */
  readonly rate: string;
};

type Priced = {
  readonly status: 'priced';
  /** Nano-dollars: the sum of the lines' amounts, to the last one. */
  readonly cost_nano: number;
  readonly lines: readonly PriceLine[];
  readonly source: 'catalogue';
  /** The catalogue's ids of the provider and of the model whose price this is. */
  readonly provider: string;
  readonly model: string;
  readonly rule: PriceRule;
};

/**
 * Why a call has no price. `no_rate`: the model is listed, but not by tokens (say by the hour of audio)
 * or not for a bucket that has tokens.
 */
type UnpricedReason = NotFound | 'no_rate';

type Unpriced = { readonly status: 'unpriced'; readonly reason: UnpricedReason };

export type Price = Priced | Unpriced;

/** Prices calls from the built-in catalogue. */
export type Pricer = { readonly priceCall: (call: PriceableCall) => Price };

/** Most pairs of provider and model that are remembered; a pair holds a few KB. */
const REMEMBERED_PAIRS = 5_000;

const TOKEN_BUCKETS = ['fresh', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'] as const;

function toLine(bucket: BilledBucket, tokens: number, { rate, key }: NamedRate): PriceLine {
  return {
    bucket,
    tokens,
    usdPerMillion: rate.usdPerMillion,
    amount_nano: amountNano(rate, tokens),
    rate: key,
  };
}

function priceByCard(card: RateCard, ts: number, buckets: UsageBuckets): Price {
  const context = buckets.fresh + buckets.cacheRead + buckets.cacheWrite5m + buckets.cacheWrite1h;
  const band = bandFor(card, ts, context);
  // Without a rate for input the model is billed by something that is not counted here.
  if (band?.rates.fresh === undefined) return { status: 'unpriced', reason: 'no_rate' };
  const lines: PriceLine[] = [];
  for (const bucket of TOKEN_BUCKETS) {
    const tokens = buckets[bucket];
    if (tokens <= 0) continue;
    const rate = band.rates[bucket];
    if (rate === undefined) return { status: 'unpriced', reason: 'no_rate' };
    lines.push(toLine(bucket, tokens, rate));
  }
  // A call that counted no tokens has failed or was refused: no fee for it.
  if (band.rates.request !== undefined && lines.length > 0)
    lines.push(toLine('request', 1, band.rates.request));
  let cost = 0;
  for (const line of lines) cost += line.amount_nano;
  const { provider, model } = card;
  return { status: 'priced', cost_nano: cost, lines, source: 'catalogue', provider, model, rule: band.rule };
}

/**
 * Makes a pricer over the catalogue of \@pydantic/genai-prices, offline. It remembers the prices of the
 * pairs of provider and model used last; the date, the hour and the size of the context are looked at
 * on every call, so that what is remembered never goes stale.
 *
 * Each line is its tokens times its rate as an exact fraction, rounded half up to a nano-dollar, and the
 * cost is the sum of the lines. What is not known has no price (`unpriced`) and is never 0.
 * @example createPricer().priceCall({ provider: 'openai', model: 'gpt-4o', ts: Date.now(), buckets })
 */
export function createPricer(): Pricer {
  const memo = createMemo<RateCard | Unpriced>(REMEMBERED_PAIRS);

  const lookUp = (provider: string | null, model: string | null): RateCard | Unpriced => {
    // The length keeps the pair apart, whatever characters the names have.
    const key = `${provider?.length ?? 0}:${provider ?? ''}${model ?? ''}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    const found = findModel(provider, model);
    const value: RateCard | Unpriced =
      typeof found === 'string'
        ? { status: 'unpriced', reason: found }
        : toRateCard(found.provider, found.model);
    memo.set(key, value);
    return value;
  };

  return {
    priceCall: ({ provider, model, ts, buckets }) => {
      const card = lookUp(provider, model);
      return 'status' in card ? card : priceByCard(card, ts, buckets);
    },
  };
}
